import { type ComponentChildren, Fragment, h } from "preact";

import type { ReceiptView, Span } from "../../domain/operator/conversations.ts";
import { drawPieces } from "../parts/text.tsx";

/** The message, with the deciding part and the most influential words marked. */
export function Quote({ text, view }: { text: string | undefined; view: ReceiptView }) {
  if (text === undefined) {
    return <p class="small faint">Messages are not stored on this server, so this one cannot be shown.</p>;
  }
  const segments = segmentsOf(text, view.decidedBy, view.words);
  return (
    <div class={`section ${view.outcome === "refused" ? "refusal" : ""}`}>
      <p class="quote" dir="auto">
        {groupByPart(segments)}
      </p>
      <Legend segments={segments} intent={view.intent ?? view.intents[0]?.intent ?? null} />
    </div>
  );
}

/** Adjacent segments of the deciding part share one mark, also across lines. */
function groupByPart(segments: readonly Segment[]): ComponentChildren[] {
  const parts: { decides: boolean; segments: Segment[] }[] = [];
  for (const segment of segments) {
    const last = parts.at(-1);
    if (last?.decides === segment.decides) last.segments.push(segment);
    else parts.push({ decides: segment.decides, segments: [segment] });
  }
  return parts.map(({ decides, segments: inside }, at) => {
    const drawn = inside.map((segment, index) => <Stretch key={index} segment={segment} />);
    return decides ? <mark key={at}>{drawn}</mark> : <Fragment key={at}>{drawn}</Fragment>;
  });
}

function Stretch({ segment: { text, pull } }: { segment: Segment }) {
  const drawn = drawPieces(text);
  return pull === undefined ? <Fragment>{drawn}</Fragment> : <span class={`pull ${pull}`}>{drawn}</span>;
}

function Legend({ segments, intent }: { segments: readonly Segment[]; intent: string | null }) {
  const has = (test: (segment: Segment) => boolean) => segments.some(test);
  const sentences = [
    has(({ decides }) => decides) && "Shaded: the part that decided.",
    has(({ pull }) => pull === "towards") && "Underlined: words in favour of",
    has(({ pull }) => pull === "away") && "Dotted: words against it.",
  ];
  if (!sentences.some(Boolean)) return null;
  return (
    <p class="small faint">
      {sentences[0]}{" "}
      {sentences[1] && (
        <Fragment>
          {sentences[1]} <code class="intent">{intent ?? "it"}</code>.{" "}
        </Fragment>
      )}
      {sentences[2]}
    </p>
  );
}

/** A segment of a message, with its influence on the decision. */
interface Segment {
  readonly text: string;
  /** Belongs to the part that decided. */
  readonly decides: boolean;
  /** A word that speaks for the deciding intent, or against it. */
  readonly pull: "towards" | "away" | undefined;
}

interface Pulled {
  readonly word: string;
  readonly pull: number;
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Splits the text at the boundaries of the deciding part and of influential words. */
function segmentsOf(text: string, decidedBy: Span | undefined, words: readonly Pulled[]): Segment[] {
  const pulls = new Map(words.map(({ word, pull }) => [word.toLowerCase(), pull]));
  const pulled = Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
    pull: pulls.get(word.toLowerCase()),
  })).filter(({ pull }) => pull !== undefined && pull !== 0);
  const span = decidedBy ?? { from: 0, to: 0 };
  const edges = [0, text.length, span.from, span.to, ...pulled.flatMap(({ from, to }) => [from, to])];
  const cuts = [...new Set(edges)]
    .filter((at) => at >= 0 && at <= text.length)
    .toSorted((one, other) => one - other);
  return cuts.slice(0, -1).map((from, index) => {
    const to = cuts[index + 1]!;
    const pull = pulled.find((word) => word.from <= from && to <= word.to)?.pull;
    return {
      text: text.slice(from, to),
      decides: span.from <= from && to <= span.to,
      pull: pull === undefined ? undefined : pull > 0 ? "towards" : "away",
    };
  });
}
