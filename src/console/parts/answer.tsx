import { Fragment, h } from "preact";

import type { ChatMetadata } from "../../domain/chat.ts";
import { Markdown } from "../../widget/markdown/markdown.tsx";

const LABELS = { showImage: "Show image", table: "Table", code: "Code", copy: "Copy", copied: "Copied" };

/** An answer of a bot, drawn as the widget draws it. */
export const Answer = ({ text }: { text: string }) => <Markdown text={text} labels={LABELS} />;

interface BeneathProps {
  metadata: ChatMetadata;
  /** Subject of the turn. */
  about: string | undefined;
  /** Sends the text of a button; absent: the buttons are only shown. */
  onAsk?: (input: string) => void;
}

/** Sources and buttons, as a visitor sees them below an answer, and the subject of the turn. */
export function Beneath({
  metadata: { sources = [], suggestions = [], next = [] },
  about,
  onAsk,
}: BeneathProps) {
  const steps = [...suggestions.map(({ label }) => ({ label, input: label })), ...next];
  return (
    <Fragment>
      {about !== undefined && (
        <p class="small faint">
          About <bdi>{about}</bdi>
        </p>
      )}
      {sources.length > 0 && (
        <ul class="beneath" aria-label="Sources">
          {sources.map(({ title, url }) => (
            <li key={url ?? title}>
              <bdi>
                {url === undefined ? (
                  title
                ) : (
                  <a href={url} target="_blank" rel="noopener noreferrer">
                    {title}
                  </a>
                )}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {steps.length > 0 && (
        <ul class="filters" aria-label="Choices shown to the visitor">
          {steps.map(({ label, input }) => (
            <li key={label}>
              {onAsk === undefined ? (
                <span class="chip still">
                  <bdi>{label}</bdi>
                </span>
              ) : (
                <button class="chip" type="button" title={input} onClick={() => onAsk(input)}>
                  <bdi>{label}</bdi>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Fragment>
  );
}
