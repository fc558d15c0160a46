import { readFileSync } from "node:fs";

import weightPath from "./encoder.bin" with { type: "file" };
import { Tokeniser } from "./tokeniser.ts";
import { type Lane, type Run, Transformer } from "./transformer.ts";
import vocabularyPath from "./vocabulary.txt" with { type: "file" };
import { WeightFile } from "./weight-file.ts";

/** Input of the encoder in one of the three forms that it was trained on. */
export type EncoderInput =
  /** A visitor's message, an example, or an intent's name, label or description. */
  | { form: "message"; text: string }
  /** A part or heading of a document. */
  | { form: "passage"; text: string; heading?: string }
  /** A follow-up: the message, the visitor's message before it, and the label or heading of the answer to that. */
  | { form: "followUp"; text: string; before: string; subject?: string };

/** Maximum number of subword pieces of each text: as in training for messages and earlier messages, about that for passages. */
const PIECES_OF = { message: 48, passage: 112, before: 24, subject: 12 } as const;
/** Characters read per piece, to limit the work for long texts. A piece has at most 16 characters, and 5 on average. */
const CHARACTERS_OF_PIECE = 32;

/**
 * Computes vectors that are close together for texts of similar meaning in many languages: multilingual-e5-small, fine-tuned for messages
 * to bots and their documents. `ORIGIN.md` describes the origin of the weights.
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
   * @param weights as read by `WeightFile`. @param vocabulary one piece per line, numbered from 0. @returns undefined if the processor or
   * runtime has no SIMD. @throws Error if the bytes are no weights.
   */
  static open(weights: Uint8Array, vocabulary: string): Encoder | undefined {
    const file = new WeightFile(weights);
    const transformer = Transformer.open(file);
    return transformer && new Encoder(file, transformer, vocabulary);
  }

  /** Dimensions of a vector. */
  get width(): number {
    return this.#file.sizes.hidden;
  }

  /**
   * The vector of a text, with an L2 norm of 1. Undefined if it is blank. Takes 0.7 ms per piece (printed by `npm run bench -- --encoder`),
   * without yielding.
   */
  encode(input: EncoderInput): Float32Array | undefined {
    const run = this.begin(input, "foreground");
    if (run === undefined) return undefined;
    while (!this.step(run));
    return this.finish(run);
  }

  /** The same layer by layer, for a thread with other work; see `Transformer`. Undefined if the text is blank. */
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

  /** The numbers of all pieces that are read, including start and end. Undefined if the text is blank. */
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
  /** Maximum number of pieces. */
  most: number;
}

/** The parts in reading order; the text itself is last. */
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
 * This thread's encoder, opened on first use. It takes about 120 MB, so only the encoding thread should call this. Undefined if the
 * processor or runtime has no SIMD.
 */
export function openEncoder(): Encoder | undefined {
  opened ??= { encoder: Encoder.open(readFileSync(weightPath), readFileSync(vocabularyPath, "utf8")) };
  return opened.encoder;
}
