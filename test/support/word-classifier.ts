import type { Classifier, IntentScore, TextScan } from "../../src/domain/decision.ts";
import type { IntentName } from "../../src/domain/ids.ts";
import { JOINTS } from "../../src/text/function-words.ts";
import { hashWordText } from "../../src/text/word-hash.ts";

type WordScores = Record<string, Record<string, number>>;

const unitsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];

/**
 * A classifier with scores for intents by word: `{track: {orders: 0.6}}`. The confidences of a text are the mean over its words with scores. Other
 * words are unknown to it.
 */
export function wordClassifier(words: WordScores): Classifier {
  const intents = [...new Set(Object.values(words).flatMap((scores) => Object.keys(scores)))] as IntentName[];
  const hashes = new Set(Object.keys(words).map((word) => hashWordText(word)));
  const confidencesOf = (units: readonly string[]): Float32Array => {
    const speaking = units.filter((unit) => words[unit] !== undefined);
    return Float32Array.from(
      intents,
      (intent) =>
        speaking.reduce((sum, unit) => sum + (words[unit]?.[intent] ?? 0), 0) / Math.max(1, speaking.length),
    );
  };
  return {
    intents,
    matchThreshold: 0.5,
    knows: (word) => words[word.toLowerCase()] !== undefined,
    isRealWord: (word) => words[word.toLowerCase()] !== undefined,
    knowsHash: (hash) => hashes.has(hash),
    intentsSharing: () => [],
    isExample: (text) => words[text.toLowerCase()] !== undefined,
    classify: (text) => {
      const confidences = confidencesOf(unitsOf(text));
      const scores = intents
        .map((intent, k): IntentScore => ({ intent, confidence: confidences[k]! }))
        .filter(({ confidence }) => confidence > 0)
        .toSorted((left, right) => right.confidence - left.confidence)
        .slice(0, 5);
      const confidence = scores[0]?.confidence ?? 0;
      return {
        scores,
        confidences,
        inScope: Math.min(
          1,
          confidences.reduce((sum, c) => sum + c, 0),
        ),
        confidence,
      };
    },
    scan: (text): TextScan => {
      const units = unitsOf(text);
      return {
        length: units.length,
        unit: (index) => units[index]!,
        isSign: (index) => !/^[\p{L}\p{N}]/u.test(units[index]!),
        isJoint: (index) => JOINTS.has(units[index]!),
        startsLine: () => false,
        score: (from, to, scores) => {
          const confidences = confidencesOf(units.slice(from, to));
          for (let k = 0; k < intents.length; k++) scores[k] = confidences[k]! - 0.25;
        },
      };
    },
  };
}
