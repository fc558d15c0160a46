import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import type { IntentName } from "../../../../src/domain/ids.ts";
import {
  type EmbeddedExample,
  fuseEmbedding,
  indexEmbeddings,
  unitVector,
  withConfidences,
  applyJudgement,
} from "../../../../src/intent/assistance/embedding-fusion.ts";

const INTENTS = ["orders", "account"] as IntentName[];
const angle = (degrees: number) =>
  unitVector([Math.cos(degrees * (Math.PI / 180)), Math.sin(degrees * (Math.PI / 180))]);
const examples: EmbeddedExample[] = [0, 5, 10].flatMap((degrees) => [
  { intent: 0, vector: angle(degrees) },
  { intent: 1, vector: angle(90 - degrees) },
]);
const index = indexEmbeddings(examples);
const unsure = withConfidences(Float32Array.of(0.2, 0.2), INTENTS, 0.4);

describe("an embedding beside the classifier", () => {
  test("lifts the intent whose examples are near", () => {
    const { scores, confidence } = fuseEmbedding(unsure, INTENTS, index, angle(3));
    expect(scores[0]?.intent).toBe("orders" as IntentName);
    expect(confidence).toBeGreaterThan(0.5);
    expect(scores[1]!.confidence).toBeLessThan(0.15);
  });

  test("lowers everything when nothing is near", () => {
    const { confidence, inScope } = fuseEmbedding(unsure, INTENTS, index, angle(180));
    expect(confidence).toBeCloseTo(0.07);
    expect(inScope).toBeCloseTo(0.14);
  });

  test("keeps confidences within 0 and 1, and their sum within the chance of being in scope", () => {
    const share = fc.double({ min: 0, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(share, share, fc.integer({ min: 0, max: 360 }), (first, second, degrees) => {
        const before = withConfidences(Float32Array.of(first, second), INTENTS, first + second);
        const after = fuseEmbedding(before, INTENTS, index, angle(degrees));
        const sum = after.confidences.reduce((total, confidence) => total + confidence, 0);
        expect(after.confidences.every((confidence) => confidence >= 0)).toBe(true);
        expect(sum).toBeLessThanOrEqual(after.inScope + 1e-6);
        expect(after.inScope).toBeLessThanOrEqual(1 + 1e-6);
      }),
    );
  });

  test("needs no more than one example", () => {
    const lone = indexEmbeddings([{ intent: 1, vector: angle(45) }]);
    expect(fuseEmbedding(unsure, INTENTS, lone, angle(45)).scores[0]?.intent).toBe("account" as IntentName);
  });
});

describe("a judge's choice", () => {
  const before = withConfidences(Float32Array.of(0.45, 0.35), INTENTS, 0.9);

  test("matches, and nothing else does", () => {
    const { scores, inScope } = applyJudgement(before, INTENTS, "account" as IntentName, 0.95);
    expect(scores[0]).toMatchObject({ intent: "account" });
    expect(inScope).toBeGreaterThan(0.95);
    expect(scores[0]!.confidence + scores[1]!.confidence).toBeLessThanOrEqual(inScope + 1e-6);
  });

  test("leaves numbers, also where the chosen intent has all there is", () => {
    const certain = withConfidences(Float32Array.of(0.7, 0), INTENTS, 0.7);
    const { confidences } = applyJudgement(certain, INTENTS, INTENTS[0]!, 0.6);
    expect([...confidences].map((confidence) => confidence.toFixed(3))).toEqual(["0.700", "0.000"]);
  });

  test("of none leaves nothing that matches", () => {
    const { inScope, confidence } = applyJudgement(before, INTENTS, null, 0.4);
    expect(inScope).toBeLessThan(0.4);
    expect(confidence).toBeLessThan(inScope);
  });
});
