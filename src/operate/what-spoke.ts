import type { CandidateReceipt } from "../domain/decision.ts";

type Signal = keyof CandidateReceipt["speaking"];

/** Words for a candidate that is ahead in a signal, and for one that is behind. */
const IN_WORDS: Record<Signal, readonly [ahead: string, behind: string]> = {
  words: ["more words in common", "fewer words in common"],
  meaning: ["nearer in meaning", "more distant in meaning"],
  classifier: ["more like its examples", "less like its examples"],
  context: ["closer to what was said before", "less close to what was said before"],
};
const SIGNALS = Object.keys(IN_WORDS) as Signal[];

const READ_AS: Record<CandidateReceipt["reading"], string> = {
  plain: "",
  "in-context": "read behind what was said before, ",
  standalone: "as a model asks it, ",
};

/**
 * Differences in log odds: smaller ones than the first are not mentioned; from the second on, a candidate is `far` ahead. Chosen by hand.
 */
const LEAST = 0.5;
const FAR = 3;

/**
 * The evidence for and against each candidate, in words: the first compared with the second, all others with the first. @param candidates
 * best first.
 */
export function whatSpoke(candidates: readonly CandidateReceipt[]): string[] {
  const [first, second] = candidates;
  return candidates.map((candidate) => {
    const isFirst = candidate === first;
    const other = isFirst ? second : first;
    return (
      READ_AS[candidate.reading] +
      (other === undefined ? "nothing else came near" : besideOther(candidate, other, isFirst))
    );
  });
}

function besideOther(candidate: CandidateReceipt, other: CandidateReceipt, isFirst: boolean): string {
  const differences = SIGNALS.map((signal) => ({
    signal,
    by: candidate.speaking[signal] - other.speaking[signal],
  }))
    .filter(({ by }) => Math.abs(by) >= LEAST)
    .toSorted((left, right) => Math.abs(right.by) - Math.abs(left.by));
  const listed = (isAhead: boolean) =>
    differences
      .filter(({ by }) => by > 0 === isAhead)
      .map(({ signal, by }) => inWords(candidate, signal, by))
      .join(", ");
  const [main, yet] = [listed(isFirst), listed(!isFirst)];
  const place = isFirst ? "ahead" : "behind";
  return [main === "" ? `barely ${place}` : `${place}: ${main}`, ...(yet === "" ? [] : [`but ${yet}`])].join(
    "; ",
  );
}

function inWords({ passage }: CandidateReceipt, signal: Signal, by: number): string {
  // Passages have no examples.
  if (signal === "classifier" && by < 0 && passage) return "no similar example";
  const [ahead, behind] = IN_WORDS[signal];
  return (Math.abs(by) >= FAR ? "far " : "") + (by > 0 ? ahead : behind);
}
