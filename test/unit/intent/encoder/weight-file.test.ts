import { describe, expect, test } from "bun:test";

import { Encoder } from "../../../../src/intent/encoder/encoder.ts";
import { WeightFile } from "../../../../src/intent/encoder/weight-file.ts";
import { TINY_VOCABULARY, tinyWeights } from "../../../support/tiny-encoder.ts";

describe("an encoder's weights", () => {
  test.each([1, 2, 3])("say that there are %d layers, and so many are gone through", (layers) => {
    const encoder = Encoder.open(tinyWeights(layers), TINY_VOCABULARY)!;
    const run = encoder.begin({ form: "message", text: "a a" }, "foreground")!;
    const isLast = Array.from({ length: layers }, () => encoder.step(run));
    expect(isLast).toEqual([...Array.from({ length: layers - 1 }, () => false), true]);
    const vector = encoder.finish(run);
    expect(vector).toHaveLength(encoder.width);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  test("are read wherever they stand", () => {
    const bytes = tinyWeights(1);
    const moved = new Uint8Array(bytes.length + 3);
    moved.set(bytes, 3);
    const [here, there] = [bytes, moved.subarray(3)].map((file) =>
      Encoder.open(file, TINY_VOCABULARY)!.encode({ form: "message", text: "a" }),
    );
    expect(here).toEqual(there);
  });

  test.each([
    ["are told from other bytes", new Uint8Array(100), "not an encoder's weights"],
    ["are not read where they are cut off", tinyWeights(1).subarray(0, -1), "cut off"],
  ])("%s", (_, bytes, message) => {
    expect(() => new WeightFile(bytes)).toThrow(message);
  });
});
