import { h, type VNode } from "preact";

import { choicesOf, isQuestion, textAbove } from "../conversation/choices.ts";
import { Markdown } from "../markdown/markdown.tsx";
import type { ParleyMessage } from "../public.d.ts";
import { Icon } from "./icons.tsx";
import { Sources } from "./sources.tsx";
import type { PanelView } from "./view.ts";

interface MessageProps {
  view: PanelView;
  message: ParleyMessage;
  /** Whether this is the last message and nothing is under way, so that its choices can still be clicked. */
  latest: boolean;
  /** Not sent yet. */
  held: boolean;
}

/** What was drawn last of each message. */
const drawn = new WeakMap<ParleyMessage, { latest: boolean; held: boolean; node: VNode }>();

/** Draws a message; one that has not changed is not even compared again, however long the conversation. */
export function drawMessage(props: MessageProps): VNode {
  const { message, latest, held } = props;
  const known = drawn.get(message);
  if (known?.latest === latest && known.held === held) return known.node;
  const node = message.role === "visitor" ? question(props) : answer(props);
  drawn.set(message, { latest, held, node });
  return node;
}

function question({ view, message, held }: MessageProps): VNode {
  return (
    <div key={message.id} class={held ? "question held" : "question"}>
      <span class="unseen">{view.words("you")}: </span>
      <bdi>{message.text}</bdi>
    </div>
  );
}

function answer({ view, message, latest }: MessageProps): VNode {
  const choices = choicesOf(message);
  const asks = isQuestion(message);
  // What asks back restricts nothing; it looks like any other answer.
  const restricted = !asks && message.metadata?.capabilityAllowed === false;
  const buttons = asks ? [...choices, view.words("noneOfThese")] : choices;
  return (
    <div key={message.id} class={restricted ? "answer restricted" : "answer"}>
      {restricted && <Icon name="note" />}
      <div class="prose" dir="auto">
        <Markdown text={textAbove(message, choices)} labels={view.strings} />
        <Sources view={view} message={message} />
        {message.stopped && <p class="aside">{view.words("stopped")}</p>}
        {choices.length > 0 && (
          <ul class="pills">
            {buttons.map((choice) => (
              <li key={choice}>
                <button type="button" disabled={!latest} onClick={() => view.ask(choice)}>
                  <bdi>{choice}</bdi>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
