import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { ConversationTurn } from "../../../domain/operator/conversations.ts";
import { Answer, Beneath } from "../../parts/answer.tsx";
import { Badge, RatingBadge, Tag } from "../../parts/badge.tsx";
import { drawPieces, VisitorText } from "../../parts/text.tsx";
import { withQuery } from "../../router.ts";
import { count, milliseconds } from "../../words/numbers.ts";
import { fullMoment, moment } from "../../words/times.ts";

/** Longer messages are cut until the operator asks for the rest. */
const LONG = 600;

/** Total time of all stages in milliseconds. */
export const tookOf = ({ receipt }: ConversationTurn): number =>
  Object.values(receipt.stagesMs).reduce((sum, each) => sum + each, 0);

interface TurnProps {
  turn: ConversationTurn;
  number: number;
  isChosen: boolean;
}

/** A message that went to an operator, so the bot gave no answer. */
export function PassedOn({
  turn,
  input,
  to = "a person",
  number,
  isChosen,
}: TurnProps & { input: string | undefined; to: string | undefined }) {
  return (
    <article class="turn" aria-current={isChosen ? "true" : undefined} aria-label={`Message ${number}`}>
      <Said input={input} />
      <p class="meta">
        <Tag>
          Handed off to <bdi>{to}</bdi>
        </Tag>
        <ReceiptLink at={turn.at} number={number} isChosen={isChosen} />
      </p>
    </article>
  );
}

/** A message and its answer as the visitor saw them, with the decision. */
export function Turn({ turn, number, isChosen }: TurnProps) {
  const best = turn.receipt.readings[0]?.scores[0];
  return (
    <article class="turn" aria-current={isChosen ? "true" : undefined} aria-label={`Message ${number}`}>
      <Said input={turn.input} />
      <Replied turn={turn} />
      <Beneath metadata={turn.metadata} about={aboutOf(turn)} />
      <Rated turn={turn} />
      <p class="meta">
        <Badge outcome={turn.outcome} />
        {turn.intent !== null && <code class="intent">{turn.intent}</code>}
        {best !== undefined && best.intent === turn.intent && (
          <span class="tn">{best.confidence.toFixed(3)}</span>
        )}
        <span class="tn">{milliseconds(tookOf(turn))}</span>
        <ReceiptLink at={turn.at} number={number} isChosen={isChosen} />
      </p>
    </article>
  );
}

/** The subject of the message, if its intent does not name it. */
function aboutOf({ subject, intent }: ConversationTurn): string | undefined {
  return subject?.intent === intent ? undefined : subject?.name;
}

function ReceiptLink({ at, number, isChosen }: Omit<TurnProps, "turn"> & { at: number }) {
  return (
    <Fragment>
      <time dateTime={new Date(at).toISOString()} class="vh">
        {fullMoment(at)}
      </time>
      <a href={withQuery({ turn: number })} aria-current={isChosen ? "true" : undefined}>
        {isChosen ? "Receipt shown" : "Receipt"}
      </a>
    </Fragment>
  );
}

/** The visitor's rating and its reason. */
function Rated({ turn: { feedback, input } }: { turn: ConversationTurn }) {
  if (feedback === undefined) return null;
  const { rating, reason, at } = feedback;
  return (
    <p class="rated">
      <RatingBadge rating={rating} />
      {reason !== undefined && <VisitorText text={reason} />}
      {reason === undefined && input === undefined && (
        <span class="faint">Reasons are not stored on this server.</span>
      )}
      <time dateTime={new Date(at).toISOString()} class="faint small" title={fullMoment(at)}>
        {moment(at)}
      </time>
    </p>
  );
}

function Said({ input }: { input: string | undefined }) {
  const [isWhole, setIsWhole] = useState(false);
  if (input === undefined) return <p class="said faint">Messages are not stored on this server.</p>;
  const characters = Array.from(input);
  if (characters.length <= LONG || isWhole) {
    return (
      <p class="said" dir="auto">
        {drawPieces(input)}
      </p>
    );
  }
  return (
    <div class="said" dir="auto">
      {drawPieces(`${characters.slice(0, LONG).join("")}…`)}
      <div class="small">
        <button class="link" type="button" onClick={() => setIsWhole(true)}>
          Show all {count(characters.length)} characters
        </button>
      </div>
    </div>
  );
}

function Replied({ turn: { response, state, outcome } }: { turn: ConversationTurn }) {
  if (response !== undefined && response !== "") {
    return (
      <div class="replied" dir="auto">
        <Answer text={response} />
      </div>
    );
  }
  const why =
    state === "complete" && outcome !== "failed"
      ? "Answers are not stored on this server."
      : "No answer: Parley failed or was stopped before answering.";
  return <p class="faint">{why}</p>;
}
