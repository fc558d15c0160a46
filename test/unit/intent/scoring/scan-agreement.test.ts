import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { FeatureBuffer } from "../../../../src/intent/features/features.ts";
import { SparseVector } from "../../../../src/intent/features/sparse-vector.ts";
import { ModelClassifier } from "../../../../src/intent/scoring/model-classifier.ts";
import { TokenBuffer } from "../../../../src/text/tokenise.ts";
import { fitModel } from "../../../support/fit-model.ts";
import { scoreVector } from "../../../support/plain-judging/score-vector.ts";

const EXAMPLES = {
  texts: ["where is my order", "track a parcel", "delete my account", "erase a profile", "opening hours"],
  labels: Int32Array.of(0, 0, 1, 1, 2),
  classCount: 3,
};
/** No two share a character gram, as the vector of a text would count it but once and a bit; some stand in no example. */
const WORDS = ["order", "track", "my", "parcel", "is", "weekend", "jungle", "bath", "zoo", "a"];
/** Known to no example: at either end, none of the pairs with the ends of the text is known. */
const EDGE = "qqq";

describe("a scan", () => {
  const model = fitModel(EXAMPLES);
  const classifier = new ModelClassifier(model);

  function scoresOfVector(text: string): number[] {
    const tokens = new TokenBuffer();
    tokens.read(text);
    const features = new FeatureBuffer();
    features.read(tokens);
    const vector = new SparseVector();
    vector.count(features, model.vocabulary.index);
    vector.weigh(model.vocabulary.idf);
    const scores = new Float64Array(EXAMPLES.classCount);
    scoreVector(vector, model, scores);
    return [...scores];
  }

  function scoresOfStretch(text: string, from: number, to: number): number[] {
    const scores = new Float32Array(EXAMPLES.classCount);
    classifier.scan(text).score(from, to, scores);
    return [...scores];
  }

  function expectProportional(these: readonly number[], those: readonly number[]): void {
    const scale = Math.hypot(...these) / Math.hypot(...those);
    for (const [k, score] of these.entries()) expect(score).toBeCloseTo(scale * those[k]!, 3);
  }

  const message = fc.shuffledSubarray(WORDS, { minLength: 1 });

  test("a scan of a whole message scores it as its vector does, up to scale", () => {
    fc.assert(
      fc.property(message, (words) => {
        const text = [EDGE, ...words, EDGE].join(" ");
        expectProportional(scoresOfStretch(text, 0, words.length + 2), scoresOfVector(text));
      }),
    );
  });

  test("a stretch of a scan is scored as if it were alone", () => {
    fc.assert(
      fc.property(message, message, (before, words) => {
        const text = [...before, EDGE, ...words, EDGE].join(" ");
        const [from, to] = [before.length, before.length + words.length + 2];
        const alone = scoresOfVector(text.split(" ").slice(from, to).join(" "));
        expectProportional(scoresOfStretch(text, from, to), alone);
      }),
    );
  });
});
