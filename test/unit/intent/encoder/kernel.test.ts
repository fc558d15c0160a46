import { expect, spyOn, test } from "bun:test";

import { openKernel } from "../../../../src/intent/encoder/kernel.ts";

/** Weights of 2 outputs and 16 inputs, as bytes; inputs of 7 pieces, as floats. */
const [DEPTH, WIDTH, PIECES] = [16, 2, 7];
const SIZES = {
  inputs: 4 * PIECES * DEPTH,
  whole: 2 * PIECES * DEPTH,
  wholeScales: 4 * PIECES,
  weights: WIDTH * DEPTH,
  weightScales: 4 * WIDTH,
  biases: 4 * WIDTH,
  outputs: 4 * PIECES * WIDTH,
};

test.each([1, 2, 3, 4, 5, 6, 7])("multiplies %d pieces as plain loops do", (pieces) => {
  const { loops, memory, addresses: at } = openKernel(SIZES)!;
  const floats = (address: number, length: number) => new Float32Array(memory, address, length);
  const inputs = floats(at.inputs, pieces * DEPTH).map((_, i) => Math.sin(3 * i));
  floats(at.inputs, pieces * DEPTH).set(inputs);
  const weights = new Int8Array(memory, at.weights, WIDTH * DEPTH);
  weights.forEach((_, i) => (weights[i] = ((37 * i) % 255) - 127));
  floats(at.weightScales, WIDTH).set([0.01, 0.02]);
  floats(at.biases, WIDTH).set([0.5, -0.25]);
  floats(at.outputs, pieces * WIDTH).fill(1);

  loops.quantise(at.inputs, pieces, DEPTH, at.whole, at.wholeScales, 1);
  const { whole, wholeScales, weightScales, biases, outputs } = at;
  loops.multiply(whole, wholeScales, pieces, DEPTH, at.weights, weightScales, biases, WIDTH, outputs, 1);

  for (let t = 0; t < pieces; t++) {
    for (const [n, scale, bias] of [
      [0, 0.01, 0.5],
      [1, 0.02, -0.25],
    ] as const) {
      const products = weights
        .subarray(n * DEPTH, (n + 1) * DEPTH)
        .reduce((sum, weight, k) => sum + weight * Math.max(0, inputs[t * DEPTH + k]!), 0);
      const output = floats(at.outputs, pieces * WIDTH)[t * WIDTH + n]!;
      expect(Math.abs(output - (1 + bias + scale * products))).toBeLessThan(0.003);
    }
  }
});

test("is absent where the processor or the runtime has no SIMD", () => {
  using validate = spyOn(WebAssembly, "validate").mockReturnValue(false);
  expect(openKernel(SIZES)).toBeUndefined();
  expect(validate).toHaveBeenCalledTimes(1);
});
