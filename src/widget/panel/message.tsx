import { h, type VNode } from "preact";

import {
  choicesOf,
  isNotUnderstood,
  isQuestion,
  nextOf,
  type Step,
  textAbove,
} from "../conversation/choices.ts";
import { Copy } from "../markdown/copy.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import type { ParleyMessage } from "../public.d.ts";
import { Icon } from "./icons.tsx";
import { NotSent, Retry } from "./notice.tsx";
import { Sources } from "./sources.tsx";
import { dayBetween, timeOf } from "./times.ts";
import type { PanelView } from "./view.ts";

interface MessageProps {
  view: PanelView;
  message: ParleyMessage;
  /** The message before it. */
  previous: ParleyMessage | undefined;
  /** Whether this is the last message and no answer is in progress, so that its buttons can be clicked. */
  latest: boolean;
  /** Not sent, or without a complete answer. */
  held: boolean;
}

type Drawn = Pick<MessageProps, "previous" | "latest" | "held"> & { node: VNode };

/** The last rendering of each message. */
const drawn = new WeakMap<ParleyMessage, Drawn>();

/** Draws a message. Unchanged messages are not compared again, so that long conversations stay fast. */
export function drawMessage(props: MessageProps): VNode {
  const { message, previous, latest, held } = props;
  const known = drawn.get(message);
  if (known?.latest === latest && known.held === held && known.previous === previous) return known.node;
  const node = draw(props);
  drawn.set(message, { previous, latest, held, node });
  return node;
}

function draw(props: MessageProps): VNode {
  const { view, message, previous } = props;
  const day = dayBetween(previous?.at, message.at, view.formats);
  const { role } = message;
  return (
    <div key={message.id} class="turn">
      {day && <p class="day">{day}</p>}
      {role === "visitor" ? question(props) : role === "bot" && answer(props)}
      <div class="tools">
        {role === "bot" && <Copy labels={view.strings} textOf={answerText} />}
        <span class="slot" />
        <time dateTime={new Date(message.at).toISOString()}>{timeOf(message.at, view.formats)}</time>
      </div>
      {message.unsent && (
        <p class="under">
          <NotSent view={view} message={message} />
        </p>
      )}
      <div class="slot" />
    </div>
  );
}

/** The text of an answer without the buttons and sources below it. */
function answerText(button: HTMLElement): string {
  const blocks = button.closest(".turn")!.querySelectorAll<HTMLElement>(".prose > :not(.pills, .sources)");
  return [...blocks].map((block) => block.innerText.trim()).join("\n\n");
}

function question({ view, message, held }: MessageProps): VNode {
  return (
    <div class={held || message.unsent ? "question held" : "question"}>
      <span class="unseen">{view.words("you")}: </span>
      <bdi>{message.text}</bdi>
    </div>
  );
}

function answer(props: MessageProps): VNode {
  const { view, message, previous, latest, held } = props;
  const none = view.words("noneOfThese");
  const choices = choicesOf(message);
  const restricted = !isNotUnderstood(message) && message.metadata?.capabilityAllowed === false;
  return (
    <div class={restricted ? "answer restricted" : "answer"}>
      <span class="unseen">{view.shell.config.botName}: </span>
      {restricted && <Icon name="note" />}
      <div class="prose" dir="auto">
        <Markdown text={textAbove(message, choices)} labels={view.strings} />
        <Sources view={view} message={message} />
        {message.stopped && (
          <p class="aside">
            {view.words("stopped")}{" "}
            {held && view.session.status().kind !== "failed" && <Retry view={view} message={previous!} />}
          </p>
        )}
        {stepsBelow(props, isQuestion(message) ? [...choices, { label: none, input: none }] : choices)}
        {/* Next questions disappear at the next message; the choices of a clarifying question stay readable. */}
        {latest && stepsBelow(props, nextOf(message), "next")}
      </div>
    </div>
  );
}

/** Buttons below an answer. */
function stepsBelow({ view, latest }: MessageProps, steps: readonly Step[], name = ""): VNode | false {
  return (
    steps.length > 0 && (
      <ul class={`pills ${name}`} aria-label={view.words("suggestions")}>
        {steps.map(({ label, input }) => (
          <li key={label}>
            <button
              type="button"
              class={label === view.words("noneOfThese") ? "none" : ""}
              disabled={!latest}
              onClick={() => view.ask(input)}
            >
              <bdi>{label}</bdi>
            </button>
          </li>
        ))}
      </ul>
    )
  );
}
