import { describe, expect, test } from "bun:test";

import { packRidge, scoreByRidge, trainRidge, unpackRidge } from "../../../../src/intent/encoder/ridge.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";

/** Numbers of a vector, as many as the encoder gives. */
const WIDTH = 384;
let drawn = 0;
const INTENT_COUNT = 4;
/** The second intent has four times as many examples as the others, and the last has none. */
const INTENTS = [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2];
const CENTRES = Array.from({ length: INTENT_COUNT }, () => randomVector());
const VECTORS = INTENTS.map((intent) => near(CENTRES[intent]!));
/** One text of the first intent counts less than the others. */
const TEXTS = VECTORS.map((vector, i) => ({ vector, intent: INTENTS[i]!, weight: i === 2 ? 0.3 : 1 }));

/** Always the same ones, one after another. */
function randomVector(): Float32Array {
  return unit(Float32Array.from({ length: WIDTH }, () => fraction(1e4 * Math.sin(++drawn)) - 0.5));
}

function fraction(value: number): number {
  return value - Math.floor(value);
}

function near(centre: Float32Array): Float32Array {
  const elsewhere = randomVector();
  return unit(centre.map((value, d) => value + 1.5 * elsewhere[d]!));
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, d) => sum + value * other[d]!, 0);
}

/** The definition word for word, solved by Gauss and Jordan's elimination. */
function naiveSums(vector: Float32Array): number[] {
  const kernel = (a: Float32Array, b: Float32Array) => Math.exp(6 * (dot(a, b) - 1));
  const countOf = (intent: number) => INTENTS.filter((other) => other === intent).length;
  const mean = INTENTS.length / new Set(INTENTS).size;
  const rows = VECTORS.map((a, i) => [
    ...VECTORS.map(
      (b, j) => kernel(a, b) + (i === j ? (0.3 * countOf(INTENTS[i]!)) / mean / TEXTS[i]!.weight : 0),
    ),
    ...Array.from({ length: INTENT_COUNT }, (_, k) => Number(INTENTS[i] === k)),
  ]);
  rows.forEach((pivot, i) => {
    const factor = pivot[i]!;
    pivot.forEach((cell, c) => (pivot[c] = cell / factor));
    for (const row of rows) {
      const times = row[i]!;
      if (row !== pivot) row.forEach((_, c) => (row[c]! -= times * pivot[c]!));
    }
  });
  return Array.from({ length: INTENT_COUNT }, (_, k) =>
    VECTORS.reduce((sum, a, i) => sum + kernel(a, vector) * rows[i]![INTENTS.length + k]!, 0),
  );
}

describe("kernel ridge regression", () => {
  const model = trainRidge(TEXTS, INTENT_COUNT);
  const asked = [0, 0, 1, 1, 2, 2].map((intent) => near(CENTRES[intent]!));

  test("gives the sums of a naive dense solution", () => {
    for (const vector of [...asked, randomVector()]) {
      const { sums } = scoreByRidge(model, vector);
      naiveSums(vector).forEach((expected, k) => {
        expect(Math.abs(sums[k]! - expected)).toBeLessThan(0.002);
      });
    }
  });

  test("finds the intent that a message is near to", () => {
    const best = asked.map((vector) => {
      const { sums } = scoreByRidge(model, vector);
      return sums.indexOf(Math.max(...sums));
    });
    expect(best).toEqual([0, 0, 1, 1, 2, 2]);
  });

  test("gives the cosine to each intent's nearest text", () => {
    const vector = near(CENTRES[0]!);
    const { cosines } = scoreByRidge(model, vector);
    for (const intent of [0, 1, 2]) {
      const each = VECTORS.map((example, i) => (INTENTS[i] === intent ? dot(example, vector) : -1));
      expect(Math.abs(cosines[intent]! - Math.max(...each))).toBeLessThan(0.001);
    }
  });

  test("knows no nearest example of an intent without any", () => {
    const { cosines, sums } = scoreByRidge(model, VECTORS[0]!);
    expect(cosines[3]).toBe(-1);
    expect(sums[3]).toBe(0);
  });

  test("knows an example again that it has twice", () => {
    const twice = trainRidge([TEXTS[0]!, TEXTS[0]!, { ...TEXTS[4]!, intent: 1 }], 2);
    const { sums } = scoreByRidge(twice, VECTORS[0]!);
    expect(sums[0]).toBeGreaterThan(sums[1]! + 0.5);
  });
});

describe("a stored model", () => {
  const model = trainRidge(TEXTS, INTENT_COUNT);
  const packed = packRidge(model);

  test("is read as it was, wherever it stands", () => {
    for (const offset of [0, 1, 2, 4]) {
      const moved = new Uint8Array(packed.length + 8);
      moved.set(packed, offset);
      expect(unpackRidge(moved.subarray(offset, offset + packed.length))).toEqual(model);
    }
  });

  test("takes about half a kilobyte an example", () => {
    expect(packed.length).toBeLessThan(540 * INTENTS.length);
  });

  test("is not read where it is cut off, or empty", () => {
    expect(() => unpackRidge(packed.subarray(0, -1))).toThrow("cut off");
    expect(() => unpackRidge(packed.subarray(0, 12))).toThrow("cut off");
    expect(() => unpackRidge(packed.subarray(0, 8))).toThrow("ends early");
    expect(() => unpackRidge(new Uint8Array(0))).toThrow("not an intent model");
  });

  test("is told from a model of another kind", () => {
    expect(() => unpackRidge(trainIntentModel([{ name: "greet", examples: ["hello"] }]).model)).toThrow(
      "not a ridge model",
    );
  });
});
