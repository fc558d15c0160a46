import { h } from "preact";

import { Markdown } from "../markdown/markdown.tsx";
import { Avatar } from "./avatar.tsx";
import { Icon } from "./icons.tsx";
import { timeOf } from "./times.ts";
import type { PanelView } from "./view.ts";

/** Splits a long greeting after its first sentence or first emoji; never within emphasis or a link. */
const FIRST_AND_REST = /^([^*_`~[]{8,80}?(?:[.!?。！？]|\p{Extended_Pictographic}))\s+(.{40,})$/su;

/** The greeting; before the first message with the bot's picture and the suggested questions. */
export function Welcome({ view }: { view: PanelView }) {
  const { config } = view.shell;
  const { welcomeMessage } = config;
  const fresh = view.session.messages().length === 0;
  const [, first = welcomeMessage, rest] = (fresh && FIRST_AND_REST.exec(welcomeMessage)) || [];
  return (
    <div class={fresh ? "welcome fresh" : "welcome"}>
      {fresh && <Avatar config={config} />}
      <div class="prose greeting" dir="auto">
        <Markdown text={first} labels={view.strings} />
      </div>
      {rest && (
        <div class="prose more" dir="auto">
          <Markdown text={rest} labels={view.strings} />
        </div>
      )}
      <div class="legal" dir="auto">
        <Markdown text={config.legal ?? view.words("automated")} labels={view.strings} />
      </div>
      {fresh && <Questions view={view} />}
      {fresh && <Earlier view={view} />}
    </div>
  );
}

/** The suggested questions, as pills or as cards. */
function Questions({ view }: { view: PanelView }) {
  const { suggestedQuestions, suggestedQuestionsStyle } = view.shell.config;
  if (suggestedQuestions.length === 0) return null;
  return (
    <ul class={suggestedQuestionsStyle} aria-label={view.words("suggestions")}>
      {suggestedQuestions
        .toSorted((a, b) => a.order - b.order)
        .map(({ id, text }) => (
          <li key={id}>
            <button type="button" onClick={() => view.ask(text)}>
              <bdi>{text}</bdi>
            </button>
          </li>
        ))}
    </ul>
  );
}

/** Button that restores the conversation left by "New conversation", labelled with the visitor's last message in it. */
function Earlier({ view }: { view: PanelView }) {
  const last = view.session.earlier().findLast(({ role }) => role === "visitor");
  if (last === undefined) return null;
  const takeUp = () => {
    view.session.takeUpEarlier();
    view.focusInput();
  };
  return (
    <button type="button" class="back" onClick={takeUp}>
      <Icon name="back" />
      <span>
        <b>{view.words("earlierOne")}</b>
        <span class="aside">
          <bdi>{last.text.slice(0, 80)}</bdi> · {timeOf(last.at, view.formats)}
        </span>
      </span>
    </button>
  );
}

/** Delay, chosen by hand: screen readers do not announce a live region that has its text from the start. */
const AFTER_MS = 300;

/** Announces the greeting and the suggested questions whenever the panel opens before the first message. */
export function createGreeting(view: PanelView): { destroy: () => void } {
  const { shell, session } = view;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = () => {
    if (session.messages().length > 0) return;
    const { root, config } = shell;
    const texts = (selector: string) =>
      [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);
    const greeting = texts(".greeting, .more, .legal").join(" ");
    const questions = texts(".welcome li").join(", ");
    view.said = `${config.botName}: ${greeting}${questions && ` ${view.words("suggestions")}: ${questions}`}`;
    view.draw();
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(say, AFTER_MS);
  };
  const stopListening = shell.on("open", later);
  if (shell.isOpen()) later();
  return {
    destroy() {
      clearTimeout(timer);
      stopListening();
    },
  };
}
