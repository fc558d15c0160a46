import { readFileSync } from "node:fs";

/** A text, the tokens of the original tokenizer including start and end, and for some the vector of the original float32 network. */
export interface GoldenText {
  form: "message" | "followUp";
  text: string;
  before?: string;
  subject?: string;
  pieces: number[];
  /** 16-bit floats, in base 64. */
  vector?: string;
}

const FILE = `${import.meta.dir}/../unit/intent/encoder/golden.jsonl`;

/** 142 texts in many languages as a reference for the encoder; `src/intent/encoder/ORIGIN.md` says how they were made. */
export function readGoldenTexts(): GoldenText[] {
  const lines = readFileSync(FILE, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as GoldenText);
}
