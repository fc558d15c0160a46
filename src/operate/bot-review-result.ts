import type { BotDocument } from "../domain/bot.ts";
import type { BotReviewResult } from "../domain/operator/bots.ts";
import { type Contradiction, contradictionInWords } from "./contradictions/find-contradictions.ts";
import type { DecidedUtterance } from "./decide-utterances.ts";
import { reviewBot } from "./review-bot.ts";

/**
 * How well a bot understands, for the console. @param decided the cross-validated examples; empty if there are too few. @param
 * contradictions between its answers and documents.
 */
export function reviewResult(
  document: BotDocument,
  decided: readonly DecidedUtterance[],
  contradictions: readonly Contradiction[],
): BotReviewResult {
  const { verdict, warnings } = reviewBot(document, decided);
  const { grade, right, asked, documents, judged, next } = verdict;
  return {
    grade,
    right,
    asked,
    documents,
    judged,
    next,
    overlaps: warnings.flatMap((warning) => {
      if (warning.kind !== "overlap") return [];
      const { intents, confused, total, examplesToMove } = warning.pair;
      const [one, other] = intents;
      const toMove = examplesToMove.map(({ text, from, to }) => ({ text, from, to }));
      return [{ intents: [one, other], confused, total, examplesToMove: toMove }];
    }),
    warnings: [...warnings.map(({ message }) => message), ...contradictions.map(contradictionInWords)],
  };
}
