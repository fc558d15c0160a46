import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { SentenceEncoder } from "../../../../src/intent/encoder/sentence-encoder.ts";

/** Numbers of a vector. */
const DIMENSIONS = 512;

/** Lets every text be encoded once, in whatever process: no part that is left out changes what a text means. */
export function keepVectors(file: string): { save(): void } {
  const kept = new Map<string, Float32Array | undefined>();
  if (existsSync(`${file}.json`)) read(file, kept);
  const before = kept.size;
  // oxlint-disable-next-line typescript/unbound-method -- called with its encoder below
  const { encodeCentred } = SentenceEncoder.prototype;
  SentenceEncoder.prototype.encodeCentred = function encodeOnce(this: SentenceEncoder, text: string) {
    if (!kept.has(text)) kept.set(text, encodeCentred.call(this, text));
    return kept.get(text);
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
