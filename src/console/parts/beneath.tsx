import { Fragment, h } from "preact";

import type { ChatMetadata } from "../../domain/chat.ts";

interface BeneathProps {
  metadata: ChatMetadata;
  /** What the turn was about. */
  about: string | undefined;
  /** Sends what a visitor's button would send; absent: the buttons are only shown. */
  onAsk?: (input: string) => void;
}

/** What a visitor has below an answer: where it was taken from, and what may be asked next; and what the turn was about. */
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
