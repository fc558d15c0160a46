import { sha256 } from "../../domain/sha256.ts";
import { type QuantisedRows, quantiseVectors, vectorOfRow } from "./quantised-rows.ts";

/**
 * Names the encoder of this executable, by which its vectors are told from those of others: a name, and the beginning of the SHA-256 of
 * `encoder.bin` with `vocabulary.txt` behind it. Written down here, as to read 46 MB would hold up every start; a test holds it against the files.
 * Where the forms of `Encoder` change, the name does.
 */
export const ENCODER_VERSION = "e5-small-970cb0f9cc42";

/** Bytes of a text's SHA-256 that are used as its key. */
const KEY_BYTES = 8;
const COUNT_BYTES = 4;
const SCALE_BYTES = 4;

/** Quantises and dequantises a vector, so that fresh vectors equal stored ones. */
export function roundVector(vector: Float32Array): Float32Array {
  return vectorOfRow(quantiseVectors([vector]), 0);
}

/** Serialises vectors for `TextVectors`: count (32 bits, little-endian), keys, scales, cells; 396 bytes per text. */
export function packTextVectors(vectors: ReadonlyMap<string, Float32Array>): Uint8Array {
  const { cells, scales } = quantiseVectors([...vectors.values()]);
  const count = vectors.size;
  const bytes = new Uint8Array(COUNT_BYTES + (KEY_BYTES + SCALE_BYTES) * count + cells.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, count, true);
  [...vectors.keys()].forEach((text, row) => {
    bytes.set(keyOf(text), COUNT_BYTES + KEY_BYTES * row);
    view.setFloat32(COUNT_BYTES + KEY_BYTES * count + SCALE_BYTES * row, scales[row]!, true);
  });
  bytes.set(new Uint8Array(cells.buffer), bytes.length - cells.length);
  return bytes;
}

/** Vectors by text. */
export class TextVectors {
  /** Approximate memory use. */
  readonly byteLength: number;
  readonly #rows: QuantisedRows;
  readonly #rowOf: ReadonlyMap<string, number>;

  /** @throws Error if the bytes are not from `packTextVectors`. */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = bytes.length < COUNT_BYTES ? -1 : view.getUint32(0, true);
    const cellBytes = bytes.length - COUNT_BYTES - (KEY_BYTES + SCALE_BYTES) * count;
    if (count < 0 || cellBytes < 0 || cellBytes % Math.max(1, count) !== 0)
      throw new Error("not the vectors of texts");
    const places = Array.from({ length: count }, (_, row) => row);
    const scalesFrom = COUNT_BYTES + KEY_BYTES * count;
    this.#rows = {
      cells: Int8Array.from(
        new Int8Array(bytes.buffer, bytes.byteOffset + bytes.length - cellBytes, cellBytes),
      ),
      scales: Float32Array.from(places, (row) => view.getFloat32(scalesFrom + SCALE_BYTES * row, true)),
    };
    const keyAt = (row: number) =>
      bytes.subarray(COUNT_BYTES + KEY_BYTES * row, COUNT_BYTES + KEY_BYTES * (row + 1));
    this.#rowOf = new Map(places.map((row) => [nameOf(keyAt(row)), row]));
    this.byteLength = bytes.length;
  }

  /** Undefined for an unknown text. */
  find(text: string): Float32Array | undefined {
    const row = this.#rowOf.get(nameOf(keyOf(text)));
    return row === undefined ? undefined : vectorOfRow(this.#rows, row);
  }
}

function keyOf(text: string): Uint8Array {
  return sha256(text).subarray(0, KEY_BYTES);
}

function nameOf(key: Uint8Array): string {
  return key.toHex();
}
