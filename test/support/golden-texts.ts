import { readFileSync } from "node:fs";

/** A text, the pieces that the original splits it into, start and ends included, and for some what its float32 network makes of it. */
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

/** 142 texts of many languages, to hold the encoder against; `src/intent/encoder/ORIGIN.md` says how they were made. */
export function readGoldenTexts(): GoldenText[] {
  const lines = readFileSync(FILE, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as GoldenText);
}
