import { h } from "preact";

import { Icon } from "./icons.tsx";
import type { PanelView } from "./view.ts";

const TALLEST_PX = 148;

export function Composer({ view }: { view: PanelView }) {
  const { session, words } = view;
  const status = session.status();
  const answering = status.kind === "waiting" || status.kind === "streaming";
  const blocked =
    answering || status.kind === "limited" || status.kind === "queued" || view.draft.trim() === "";
  const action = words(answering ? "stop" : "send");

  function sendDraft(): void {
    if (blocked) return;
    const text = view.draft;
    view.draft = "";
    session.send(text);
  }

  function submit(event: Event): void {
    event.preventDefault();
    if (answering) session.stop();
    else sendDraft();
    view.input?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Safari reports the Enter that ends a composition after `compositionend`, with isComposing false and key code 229.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    sendDraft();
  }

  return (
    <form class="composer" onSubmit={submit}>
      <div class="field">
        <Input view={view} onKeyDown={onKeyDown} />
        <button class="send" aria-label={action} title={action} aria-disabled={blocked && !answering}>
          <Icon name={answering ? "stop" : "send"} />
        </button>
      </div>
    </form>
  );
}

interface InputProps {
  view: PanelView;
  onKeyDown: (event: KeyboardEvent) => void;
}

function Input({ view, onKeyDown }: InputProps) {
  return (
    <textarea
      ref={(element) => {
        view.input = element;
      }}
      rows={view.shell.config.suggestedQuestionsStyle === "message_box" ? 3 : 1}
      // Empty text has no direction of its own.
      dir={view.draft ? "auto" : view.shell.options.direction}
      value={view.draft}
      placeholder={view.words("placeholder")}
      aria-label={view.words("input")}
      enterkeyhint="send"
      onInput={(event) => {
        view.draft = event.currentTarget.value;
        view.draw();
      }}
      onKeyDown={onKeyDown}
    />
  );
}

/** Fits the input's height to its text, up to about six lines. */
export function fitHeight(input: HTMLTextAreaElement): void {
  input.style.height = "auto";
  // While the panel is closed, scrollHeight is 0.
  if (input.scrollHeight) input.style.height = `${Math.min(input.scrollHeight, TALLEST_PX)}px`;
}
