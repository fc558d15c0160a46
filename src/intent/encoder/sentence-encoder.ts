import { readFileSync } from "node:fs";

import { MOST_PIECES } from "./layout.ts";
import { Network, toUnitLength } from "./network.ts";
import { PieceSplitter } from "./pieces.ts";
import pieceFile from "./pieces.txt" with { type: "file" };
import weightFile from "./weights.bin" with { type: "file" };

/** No more characters are read: `MOST_PIECES` pieces of at most 16, so that a long text costs no more than what counts of it. */
const MOST_CHARACTERS = 16 * MOST_PIECES;

/**
 * Pieces that are read of a message or an example: by then it has said what it is about, and so many take 11 ms (printed by
 * test/bench/intent/encoder/speed.ts).
 */
const PIECES_OF_MESSAGE = 60;

/** Turns short English texts into vectors that lie together where the texts mean the same. */
export class SentenceEncoder {
  readonly #splitter: PieceSplitter;
  readonly #network: Network;
  readonly #mean: Float32Array;

  private constructor(network: Network, pieces: readonly string[]) {
    this.#network = network;
    this.#splitter = new PieceSplitter(pieces, network.vector("pieceScores"));
    this.#mean = network.vector("mean");
  }

  /**
   * @param weights as `layout.ts` says.
   * @param pieces a line each.
   * @returns undefined where the processor or the runtime has no SIMD.
   */
  static open(weights: Uint8Array, pieces: string): SentenceEncoder | undefined {
    const network = Network.open(weights);
    return network && new SentenceEncoder(network, pieces.trimEnd().split("\n"));
  }

  /**
   * What a text means, without what requests of all kinds have in common, so that what it is about counts: 512 numbers, minus the mean of
   * the general English requests, and of length 1. Undefined where the text is blank. Texts are best in lower case and without a full stop;
   * see `asEncoded`. Takes 0.2 ms for each of the first 60 pieces, and never yields (measured in test/bench/intent/encoder/speed.ts).
   */
  encodeCentred(text: string): Float32Array | undefined {
    if (text.trim() === "") return undefined;
    const pieces = this.#splitter.split(text.slice(0, MOST_CHARACTERS));
    const vector = this.#network.run(pieces.slice(0, PIECES_OF_MESSAGE));
    for (let d = 0; d < vector.length; d++) vector[d]! -= this.#mean[d]!;
    return toUnitLength(vector);
  }
}

/** A text as the encoder had best read it: in lower case, without stops at its end; a question mark stays. */
export function asEncoded(text: string): string {
  const lower = text.toLowerCase().trim();
  return lower.replace(/[\s!.,;:]+$/, "") || lower;
}

let opened: { encoder: SentenceEncoder | undefined } | undefined;

/**
 * The sentence encoder of this thread, opened when it is first asked for; 9.4 MB of memory from then on. Undefined where the processor or
 * the runtime has no SIMD.
 */
export function openSentenceEncoder(): SentenceEncoder | undefined {
  opened ??= {
    encoder: SentenceEncoder.open(readFileSync(weightFile), readFileSync(pieceFile, "utf8")),
  };
  return opened.encoder;
}
