import type { Span } from "../../domain/operator/conversations.ts";

/** A segment of a message, with its influence on the decision. */
export interface Segment {
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
export function segmentsOf(text: string, decidedBy: Span | undefined, words: readonly Pulled[]): Segment[] {
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
