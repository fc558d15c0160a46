import type { BotDocument } from "../domain/bot.ts";
import type { Classification, Classifier, IntentScore } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";

type Words = ReadonlySet<string>;

function wordsOf(text: string): Words {
  return new Set(
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu),
  );
}

/** Dice's coefficient: 1 for the same words, 0 for none in common. */
function overlap(a: Words, b: Words): number {
  if (a.size + b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

/** Scores an intent by its most similar example. */
export function openWordOverlap(bot: BotDocument): Classifier {
  const intents = (bot.intents ?? []).map(({ name, examples = [] }) => ({
    intent: name as IntentName,
    examples: examples.map(wordsOf),
  }));
  return {
    classify(text): Classification {
      const words = wordsOf(text);
      const scores: IntentScore[] = intents.map(({ intent, examples }) => ({
        intent,
        confidence: examples.reduce((best, example) => Math.max(best, overlap(words, example)), 0),
      }));
      return {
        scores: scores
          .filter(({ confidence }) => confidence > 0)
          .toSorted((a, b) => b.confidence - a.confidence),
      };
    },
  };
}
