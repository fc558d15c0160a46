import { readFileSync } from "node:fs";

import { toUnitLength } from "../encoder/transformer.ts";
import meanFile from "./requests-mean.bin" with { type: "file" };

let mean: Float32Array | undefined;

/**
 * A text's vector without what requests of all kinds have in common, so that what it is about counts: minus the mean of 420 general
 * requests in seven languages (made by test/bench/intent/encoder/make-mean.ts), and of length 1.
 */
export function centred(vector: Float32Array): Float32Array {
  mean ??= new Float32Array(new Uint8Array(readFileSync(meanFile)).buffer);
  return toUnitLength(vector.map((value, d) => value - mean![d]!));
}
