import { readFileSync } from "node:fs";

import { MOST_PIECES } from "../../src/intent/encoder/layout.ts";
import { Network } from "../../src/intent/encoder/network.ts";
import { PieceSplitter } from "../../src/intent/encoder/pieces.ts";

const ROOM = `${import.meta.dir}/../../src/intent/encoder`;

/** The sentence encoder as the original is: all that counts of a text is read, and no mean is taken away. */
export class PlainEncoder {
  readonly #network: Network;
  readonly #splitter: PieceSplitter;

  /**
   * @param weights as `layout.ts` says.
   * @param pieces a line each.
   */
  constructor(weights: Uint8Array, pieces: string) {
    const network = Network.open(weights);
    if (!network) throw new Error("this processor or runtime has no SIMD");
    this.#network = network;
    this.#splitter = new PieceSplitter(pieces.trimEnd().split("\n"), network.vector("pieceScores"));
  }

  /** With the weights that come with the program. */
  static open(): PlainEncoder {
    return new PlainEncoder(readFileSync(`${ROOM}/weights.bin`), readFileSync(`${ROOM}/pieces.txt`, "utf8"));
  }

  /** How many pieces of a text are read; its cost grows with them. */
  countPieces(text: string): number {
    return Math.min(MOST_PIECES, this.#splitter.split(text).length);
  }

  /** What a text means: 512 numbers, of length 1. Texts are best in lower case and without a full stop. */
  encode(text: string): Float32Array {
    return this.#network.run(this.#splitter.split(text));
  }
}
