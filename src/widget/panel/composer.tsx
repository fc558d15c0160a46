import { useLayoutEffect } from "preact/hooks";
import type { RefObject } from "preact";

import type { ParleyStatus } from "../public.d.ts";
import { Countdown } from "./countdown.tsx";
import { useScope, useWords } from "./context.ts";
import { Icon } from "./icons.tsx";

const TALLEST_PX = 148;

interface ComposerProps {
  status: ParleyStatus;
  draft: string;
  input: RefObject<HTMLTextAreaElement | null>;
  onDraft: (text: string) => void;
  onSend: () => void;
  onStop: () => void;
}

export function Composer({ status, draft, input, onDraft, onSend, onStop }: ComposerProps) {
  const words = useWords();
  const { suggestedQuestionsStyle } = useScope().shell.config;
  const answering = status.kind === "waiting" || status.kind === "streaming";
  const blocked = answering || status.kind === "limited" || status.kind === "queued";
  useLayoutEffect(() => fitHeight(input.current!), [draft]);

  function submit(event: Event): void {
    event.preventDefault();
    if (answering) onStop();
    else if (!blocked) onSend();
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // 229: Safari ends a composition before it reports the key.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    if (!blocked) onSend();
  }

  return (
    <form class="composer" onSubmit={submit}>
      {status.kind === "limited" && <Countdown until={status.until} />}
      <div class="field">
        <textarea
          ref={input}
          rows={suggestedQuestionsStyle === "message_box" ? 3 : 1}
          dir="auto"
          value={draft}
          placeholder={words("placeholder")}
          aria-label={words("input")}
          enterkeyhint="send"
          onInput={(event) => onDraft(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button
          class="send"
          aria-label={words(answering ? "stop" : "send")}
          title={words(answering ? "stop" : "send")}
          aria-disabled={!answering && (blocked || draft.trim() === "")}
        >
          <Icon name={answering ? "stop" : "send"} />
        </button>
      </div>
    </form>
  );
}

function fitHeight(input: HTMLTextAreaElement): void {
  input.style.height = "auto";
  input.style.height = `${Math.min(input.scrollHeight, TALLEST_PX)}px`;
}
