import type { TextScan } from "../../domain/decision.ts";
import type { IntentModel } from "../model/intent-model.ts";
import type { ReadText } from "./read-text.ts";
import { RunningSums } from "./running-sums.ts";

const WORD = /[\p{L}\p{M}\p{N}]/u;

/** A hyphen, dot, apostrophe or underscore inside a word or number ("e-mail", "1.5") is part of it, not a sign. */
function isInsideWord(text: string, start: number, end: number): boolean {
  const isInner = WORD.test(text[start - 1] ?? "") && WORD.test(text[end] ?? "");
  return isInner && /[-‐‑.'_]/.test(text[start]!);
}

/** Memory for the sums of one text at a time, shared by all classifiers of a thread. */
const sums = new RunningSums();

/** The scan of a text; valid until the next text is read. */
export class ModelScan implements TextScan {
  readonly length: number;
  readonly #text: ReadText;
  /** Number of the text, to detect that another was read. */
  readonly #number: number;
  readonly #hasLines: boolean;
  /** Factor that converts scores to multiples of the typical score. */
  readonly #unit: number;

  constructor(text: ReadText, model: IntentModel) {
    this.length = text.facts.length;
    this.#text = text;
    this.#number = text.number;
    this.#hasLines = text.normalised.includes("\n");
    this.#unit = 1 / model.typicalScore;
    sums.read(text, model);
  }

  unit(index: number): string {
    return this.#read().unit(index);
  }

  isSign(index: number): boolean {
    const { written, normalised, starts, ends } = this.#read();
    return written[index]!.isSigns && !isInsideWord(normalised, starts[index]!, ends[index]!);
  }

  isJoint(index: number): boolean {
    return this.#read().written[index]!.isJoint;
  }

  startsLine(index: number): boolean {
    if (!this.#hasLines) return false;
    const { normalised, starts, ends } = this.#read();
    return normalised.slice(index === 0 ? 0 : ends[index - 1], starts[index]).includes("\n");
  }

  score(from: number, to: number, scores: Float32Array, intents?: readonly number[]): void {
    this.#read();
    sums.score(from, to, this.#unit, scores, intents);
  }

  /** @throws Error if another text was read since. */
  #read(): ReadText {
    if (this.#text.number !== this.#number)
      throw new Error("a scan was asked about its text after the next text was read");
    return this.#text;
  }
}
