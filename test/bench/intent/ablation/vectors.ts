import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { Encoder, type EncoderInput } from "../../../../src/intent/encoder/encoder.ts";

/** Numbers of a vector. */
const DIMENSIONS = 384;

/** Lets every text be encoded once, in whatever process: no part that is left out changes what a text means. */
export function keepVectors(file: string): { save(): void } {
  const kept = new Map<string, Float32Array | undefined>();
  if (existsSync(`${file}.json`)) read(file, kept);
  const before = kept.size;
  // oxlint-disable-next-line typescript/unbound-method -- called with its encoder below
  const { encode } = Encoder.prototype;
  Encoder.prototype.encode = function encodeOnce(this: Encoder, input: EncoderInput) {
    const key = JSON.stringify(input);
    if (!kept.has(key)) kept.set(key, encode.call(this, input));
    return kept.get(key);
  };
  return {
    save() {
      if (kept.size > before) write(file, kept);
    },
  };
}

function read(file: string, kept: Map<string, Float32Array | undefined>): void {
  const texts = JSON.parse(readFileSync(`${file}.json`, "utf8")) as string[];
  const numbers = new Float32Array(new Uint8Array(readFileSync(file)).buffer);
  texts.forEach((text, i) => kept.set(text, numbers.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS)));
}

function write(file: string, kept: ReadonlyMap<string, Float32Array | undefined>): void {
  const known = [...kept].filter((entry): entry is [string, Float32Array] => entry[1] !== undefined);
  const numbers = new Float32Array(known.length * DIMENSIONS);
  known.forEach(([, vector], i) => numbers.set(vector, i * DIMENSIONS));
  writeFileSync(file, numbers);
  writeFileSync(`${file}.json`, JSON.stringify(known.map(([text]) => text)));
}
