import { h } from "preact";

import { Markdown } from "../markdown/markdown.tsx";
import type { PanelView } from "./view.ts";

/** A long greeting: its first sentence, or as far as its first emoji, and the rest. Never cut within emphasis or a link. */
const FIRST_AND_REST = /^([^*_`~[]{8,80}?(?:[.!?。！？]|\p{Extended_Pictographic}))\s+(.{40,})$/su;

/** The greeting, and before the first message the suggested questions as pills or as cards. */
export function Welcome({ view }: { view: PanelView }) {
  const { welcomeMessage, suggestedQuestions, suggestedQuestionsStyle } = view.shell.config;
  const fresh = view.session.messages().length === 0;
  const [, first = welcomeMessage, rest] = (fresh && FIRST_AND_REST.exec(welcomeMessage)) || [];
  return (
    <div class={fresh ? "welcome fresh" : "welcome"}>
      <div class="prose greeting" dir="auto">
        <Markdown text={first} labels={view.strings} />
      </div>
      {rest && (
        <div class="prose more" dir="auto">
          <Markdown text={rest} labels={view.strings} />
        </div>
      )}
      {fresh && suggestedQuestions.length > 0 && (
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
      )}
    </div>
  );
}
