import { SENTENCE_WIDTH } from "./layout.ts";
import type { RidgeModel } from "./ridge.ts";

const HEADER_BYTES = 12;
const ALIGNMENT = 4;

/**
 * The model in bytes: the counts of examples and intents, the scale of the weights, then the arrays, those of wider numbers first. Half a
 * kilobyte an example, and two bytes for each example and intent.
 */
export function packRidge({
  intentCount,
  intents,
  vectors,
  weights,
  weightScale,
}: RidgeModel): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeOf(intents.length, intentCount));
  new Int32Array(bytes.buffer, 0, 2).set([intents.length, intentCount]);
  new Float32Array(bytes.buffer, 8, 1)[0] = weightScale;
  let at = HEADER_BYTES;
  for (const array of [vectors.scales, intents, weights, vectors.cells]) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  return bytes;
}

/**
 * The model that was packed, as views of the same bytes; copies nothing unless they stand unaligned.
 * @throws Error when the bytes are no such model.
 */
export function unpackRidge(packed: Uint8Array): RidgeModel {
  const { buffer, byteOffset, byteLength } = packed.byteOffset % ALIGNMENT === 0 ? packed : packed.slice();
  if (byteLength < HEADER_BYTES) throw new Error("ridge model is cut off");
  const [count, intentCount] = new Int32Array(buffer, byteOffset, 2) as unknown as [number, number];
  if (byteLength !== sizeOf(count, intentCount)) throw new Error("ridge model has another size than it says");
  const scalesAt = byteOffset + HEADER_BYTES;
  const intentsAt = scalesAt + 4 * count;
  const weightsAt = intentsAt + 2 * count;
  const cellsAt = weightsAt + 2 * count * intentCount;
  return {
    intentCount,
    intents: new Uint16Array(buffer, intentsAt, count),
    vectors: {
      scales: new Float32Array(buffer, scalesAt, count),
      cells: new Int8Array(buffer, cellsAt, count * SENTENCE_WIDTH),
    },
    weights: new Int16Array(buffer, weightsAt, count * intentCount),
    weightScale: new Float32Array(buffer, byteOffset + 8, 1)[0]!,
  };
}

function sizeOf(count: number, intentCount: number): number {
  return HEADER_BYTES + count * (4 + 2 + 2 * intentCount + SENTENCE_WIDTH);
}
