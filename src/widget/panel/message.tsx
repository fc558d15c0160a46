import { useMemo } from "preact/hooks";

import { choicesOf, textBesideChoices } from "../conversation/choices.ts";
import { Markdown } from "../markdown/markdown.tsx";
import type { ParleyMessage } from "../public.d.ts";
import { useScope, useWords } from "./context.ts";
import { Icon } from "./icons.tsx";

interface MessageProps {
  message: ParleyMessage;
  /** The conversation has not gone on since: choices can still be made. */
  latest: boolean;
  onAsk: (text: string) => void;
}

export function Message({ message, latest, onAsk }: MessageProps) {
  return useMemo(
    () =>
      message.role === "visitor" ? (
        <Question message={message} />
      ) : (
        <Answer message={message} latest={latest} onAsk={onAsk} />
      ),
    [message, latest],
  );
}

function Question({ message }: { message: ParleyMessage }) {
  const words = useWords();
  return (
    <div class="question" dir="auto">
      <span class="unseen">{words("you")}: </span>
      {message.text}
    </div>
  );
}

function Answer({ message, latest, onAsk }: MessageProps) {
  const { strings } = useScope();
  const words = useWords();
  const restricted = message.metadata?.capabilityAllowed === false;
  const choices = choicesOf(message);
  return (
    <div class={restricted ? "answer restricted" : "answer"}>
      {restricted && <Icon name="note" />}
      <div class="prose" dir="auto">
        <Markdown text={textBesideChoices(message) || (choices.length > 0 ? words("didYouMean") : "")} labels={strings} />
        {message.stopped && <p class="aside">{words("stopped")}</p>}
        <Choices choices={choices} enabled={latest} onAsk={onAsk} />
      </div>
    </div>
  );
}

interface ChoicesProps {
  choices: readonly string[];
  enabled: boolean;
  onAsk: (text: string) => void;
}

function Choices({ choices, enabled, onAsk }: ChoicesProps) {
  if (choices.length === 0) return null;
  return (
    <ul class="pills">
      {choices.map((choice) => (
        <li key={choice}>
          {enabled ? (
            <button type="button" dir="auto" onClick={() => onAsk(choice)}>
              {choice}
            </button>
          ) : (
            choice
          )}
        </li>
      ))}
    </ul>
  );
}
