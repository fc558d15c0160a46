import { readFileSync } from "node:fs";

import weightPath from "./encoder.bin" with { type: "file" };
import { Tokeniser } from "./tokeniser.ts";
import { type Lane, type Run, Transformer } from "./transformer.ts";
import vocabularyPath from "./vocabulary.txt" with { type: "file" };
import { WeightFile } from "./weight-file.ts";

/** What the encoder reads, in one of the three forms that it was trained on. */
export type EncoderInput =
  /** What a visitor says, an example of it, or the name, label or description of an intent. */
  | { form: "message"; text: string }
  /** A stretch of a document, or the heading of one. */
  | { form: "passage"; text: string; heading?: string }
  /** What a visitor says after something else: the visitor's turn before, and the label or heading of what was answered. */
  | { form: "followUp"; text: string; before: string; subject?: string };

/** Pieces that are read of each text: as many as in training (messages and what was before them) or nearly so (passages). */
const PIECES_OF = { message: 48, passage: 112, before: 24, subject: 12 } as const;
/**
 * Characters that are read for each piece that counts, so that the work of splitting a long text has a bound. A piece has 16 characters
 * at the most, and 5 on average.
 */
const CHARACTERS_OF_PIECE = 32;

/**
 * Turns texts of many languages into vectors that lie together where the texts mean the same: multilingual-e5-small, fine-tuned for messages
 * to bots and their documents. `ORIGIN.md` says where the weights come from.
 */
export class Encoder {
  readonly #file: WeightFile;
  readonly #tokeniser: Tokeniser;
  readonly #transformer: Transformer;

  private constructor(file: WeightFile, transformer: Transformer, vocabulary: string) {
    this.#file = file;
    this.#tokeniser = new Tokeniser(vocabulary.trimEnd().split("\n"), file.logProbabilities);
    this.#transformer = transformer;
  }

  /**
   * @param weights as `WeightFile` reads them.
   * @param vocabulary a piece a line; the first line is number 0.
   * @returns undefined where the processor or the runtime has no SIMD.
   * @throws Error when the bytes are no weights.
   */
  static open(weights: Uint8Array, vocabulary: string): Encoder | undefined {
    const file = new WeightFile(weights);
    const transformer = Transformer.open(file);
    return transformer && new Encoder(file, transformer, vocabulary);
  }

  /** Numbers of a vector. */
  get width(): number {
    return this.#file.sizes.hidden;
  }

  /**
   * What a text means: a vector of length 1. Undefined where it is blank. 0.7 ms for each piece (printed by `npm run bench -- --encoder`),
   * without yielding.
   */
  encode(input: EncoderInput): Float32Array | undefined {
    const run = this.begin(input, "foreground");
    if (run === undefined) return undefined;
    while (!this.step(run));
    return this.finish(run);
  }

  /** The same step by step, for a thread with other things to do: see `Transformer`. Undefined where the text is blank. */
  begin(input: EncoderInput, lane: Lane): Run | undefined {
    const pieces = this.piecesOf(input);
    return pieces && this.#transformer.begin(pieces, lane);
  }

  step(run: Run): boolean {
    return this.#transformer.step(run);
  }

  finish(run: Run): Float32Array {
    return this.#transformer.finish(run);
  }

  /** The numbers of all pieces that are read, start and ends included. Undefined where the text is blank. */
  piecesOf(input: EncoderInput): number[] | undefined {
    const { start, end, unknown } = this.#file.sizes;
    if (input.text.trim() === "") return undefined;
    const parts = partsOf(input).map(({ text, most }) => this.#split(text, most));
    const read = parts.filter((pieces, i) => pieces.length > 0 || i === parts.length - 1);
    return [start, ...read.flatMap((pieces) => [...(pieces.length > 0 ? pieces : [unknown]), end])];
  }

  #split(text: string, most: number): number[] {
    return this.#tokeniser.split(text.slice(0, CHARACTERS_OF_PIECE * most)).slice(0, most);
  }
}

interface Part {
  text: string;
  /** Pieces that are read of it. */
  most: number;
}

/** What is read one after another; the text itself comes last. */
function partsOf(input: EncoderInput): Part[] {
  if (input.form === "passage") {
    const { heading, text } = input;
    return [{ text: heading ? `${heading}. ${text}` : text, most: PIECES_OF.passage }];
  }
  const text = { text: input.text, most: PIECES_OF.message };
  if (input.form === "message") return [text];
  const before = { text: input.before, most: PIECES_OF.before };
  return [before, { text: input.subject ?? "", most: PIECES_OF.subject }, text];
}

let opened: { encoder: Encoder | undefined } | undefined;

/**
 * The encoder of this thread, opened when it is first asked for; some 60 MB of memory from then on, so that only the encoding thread does.
 * Undefined where the processor or the runtime has no SIMD.
 */
export function openEncoder(): Encoder | undefined {
  opened ??= { encoder: Encoder.open(readFileSync(weightPath), readFileSync(vocabularyPath, "utf8")) };
  return opened.encoder;
}
