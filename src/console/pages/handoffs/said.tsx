import { type ComponentChildren, h } from "preact";

import type { HandoffEvent } from "../../../domain/handoff.ts";
import type { ConversationDetails, ConversationTurn } from "../../../domain/operator/conversations.ts";
import { isPassedOn, stateInWords } from "../../../domain/transcript.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { botName } from "../../bots.ts";
import { Answer } from "../../parts/answer.tsx";
import { Read } from "../../parts/states.tsx";
import { drawPieces } from "../../parts/text.tsx";
import { counted } from "../../words/numbers.ts";
import { fullMoment, moment } from "../../words/times.ts";

/**
 * The messages between visitor and bot, in a block that opens at a click. Messages to an operator are left out: `Event` shows them.
 *
 * @param state of the hand-off; the messages are read again when it changes
 */
export function SaidToBot({ conversationId, state }: { conversationId: string; state: string }) {
  const conversation = useResource(`conversation ${conversationId} ${state}`, (signal) =>
    ask("GET /conversations/:id", { path: { id: conversationId } }, { signal }),
  );
  return (
    <Read what="messages with the bot" from={conversation} lines={["w6"]}>
      {(read) => <Turns conversation={read} />}
    </Read>
  );
}

function Turns({ conversation: { id, bot, turns } }: { conversation: ConversationDetails }) {
  const toBot = turns.filter((turn) => !isPassedOn(turn));
  if (toBot.length === 0) return <p class="small faint">No messages with the bot.</p>;
  return (
    <details class="said-to-bot">
      <summary>Messages with the bot: {counted(toBot.length, "message")}</summary>
      <div class="chat-lines" tabIndex={0} role="region" aria-label="Messages with the bot">
        {toBot.map((turn) => (
          <BotTurn key={turn.requestId} turn={turn} bot={botName(bot)} />
        ))}
      </div>
      <a class="small" href={`/conversations/${encodeURIComponent(id)}`}>
        Why the bot answered this way
      </a>
    </details>
  );
}

function BotTurn({ turn: { input, response, at }, bot }: { turn: ConversationTurn; bot: string }) {
  return (
    <div class="chat-lines">
      <Line who="Visitor" at={at}>
        {input === undefined ? "Messages are not stored on this server." : drawPieces(input)}
      </Line>
      <Line who={bot} at={at} isOurs>
        {response === undefined || response === "" ? "No answer is stored." : <Answer text={response} />}
      </Line>
    </div>
  );
}

interface LineProps {
  who: string;
  at: number;
  /** From the operator or the bot, so it is shown on the right. */
  isOurs?: boolean;
  children: ComponentChildren;
}

/** A message with its author and time below. */
function Line({ who, at, isOurs = false, children }: LineProps) {
  return (
    <article class={`chat-line ${isOurs ? "ours" : "theirs"}`} aria-label={who}>
      <div class="bubble" dir="auto">
        {children}
      </div>
      <p class="meta">
        <bdi>{who}</bdi> ·{" "}
        <time dateTime={new Date(at).toISOString()} title={fullMoment(at)}>
          {moment(at)}
        </time>
      </p>
    </article>
  );
}

/** A message while an operator was there, or an operator joining or leaving. */
export function Event({ event }: { event: HandoffEvent }) {
  const { kind, text, name, at } = event;
  if (kind === "state") {
    return (
      <p class="small faint state-line" title={fullMoment(at)}>
        <bdi>{stateInWords(event)}</bdi>, {moment(at)}
      </p>
    );
  }
  return (
    <Line who={kind === "visitor" ? "Visitor" : (name ?? "Operator")} at={at} isOurs={kind === "operator"}>
      {drawPieces(text)}
    </Line>
  );
}
