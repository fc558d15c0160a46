import { readFileSync } from "node:fs";

import { SENTENCE_WIDTH } from "./layout.ts";
import { dotOfRow, type QuantisedRows } from "./quantised-rows.ts";
import requestFile from "./requests.bin" with { type: "file" };

/** A row of bytes, and its scale. */
const ROW_BYTES = SENTENCE_WIDTH + 4;

/** What people say to bots of all kinds, as the encoder sees it. */
export class RequestVectors {
  readonly #rows: QuantisedRows;
  readonly #count: number;

  private constructor(rows: QuantisedRows) {
    this.#rows = rows;
    this.#count = rows.scales.length;
  }

  /** @param bytes as `packRequestVectors` made them. */
  static unpack({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): RequestVectors {
    const count = byteLength / ROW_BYTES;
    return new RequestVectors({
      scales: new Float32Array(buffer, byteOffset, count),
      cells: new Int8Array(buffer, byteOffset + 4 * count, count * SENTENCE_WIDTH),
    });
  }

  /** The cosine to the nearest of them. */
  nearest(vector: Float32Array): number {
    let greatest = -1;
    for (let row = 0; row < this.#count; row++)
      greatest = Math.max(greatest, dotOfRow(this.#rows, row, vector));
    return greatest;
  }
}

/** The bytes that `RequestVectors.unpack` reads: all scales, then all rows. */
export function packRequestVectors({ scales, cells }: QuantisedRows): Uint8Array {
  return Buffer.concat([Buffer.from(scales.buffer), Buffer.from(cells.buffer)]);
}

let opened: RequestVectors | undefined;

/** Those of every sixth general English request, read when they are first asked for; 0.6 MB of memory from then on. */
export function openRequestVectors(): RequestVectors {
  // A copy: a small file's bytes may stand anywhere in a shared buffer.
  return (opened ??= RequestVectors.unpack(new Uint8Array(readFileSync(requestFile))));
}
