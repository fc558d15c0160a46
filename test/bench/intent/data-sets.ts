import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import type { IntentExamples } from "../../../src/intent/training/examples.ts";
import type { Random } from "../../../src/intent/training/random.ts";
import type { LabelledUtterance } from "../../../src/operate/evaluate.ts";

export type Split = "train" | "valid" | "test";

export interface DataSet {
  rows: readonly { text: string; intent: string; split: Split }[];
}

const OUT_OF_SCOPE = "oos";

/** Folder of the data sets (see README), and whether it exists. */
export function findDataFolder(): { folder: string; exists: boolean } {
  const root = resolve(import.meta.dir, "../../..");
  const folder = resolve(process.env["PARLEY_INTENT_DATA"] ?? join(root, "../shared/intent-data"));
  return { folder, exists: existsSync(folder) };
}

/** Reads `<folder>/<name>/data.jsonl`. */
export function loadDataSet(folder: string, name: string): DataSet {
  const lines = readFileSync(join(folder, name, "data.jsonl"), "utf8")
    .trim()
    .split("\n");
  return { rows: lines.map((line) => JSON.parse(line) as DataSet["rows"][number]) };
}

/** A split as a bot's intents: the first `most` examples of each, in file order, none out of scope. */
export function trainingIntents(
  { rows }: DataSet,
  { most = Infinity, split = "train" }: { most?: number; split?: Split } = {},
): IntentExamples[] {
  const training = rows.filter((row) => row.split === split && row.intent !== OUT_OF_SCOPE);
  return [...Map.groupBy(training, ({ intent }) => intent)].map(([name, own]) => ({
    name,
    examples: own.slice(0, most).map(({ text }) => text),
  }));
}

export function utterancesOf({ rows }: DataSet, split: Split): LabelledUtterance[] {
  return rows
    .filter((row) => row.split === split)
    .map(({ text, intent }) => ({ text, intent: intent === OUT_OF_SCOPE ? null : intent }));
}

/** One random typing error (left out, doubled by another letter, replaced, swapped) in every fifth word of two letters or more. */
export function withTypingErrors(text: string, random: Random): string {
  return text
    .split(" ")
    .map((word) => (word.length > 1 && random() < 0.2 ? mistype(word, random) : word))
    .join(" ");
}

function mistype(word: string, random: Random): string {
  const at = Math.floor(random() * word.length);
  const letter = String.fromCharCode(97 + Math.floor(random() * 26));
  const [before, after] = [word.slice(0, at), word.slice(at + 1)];
  switch (Math.floor(random() * 4)) {
    case 0:
      return before + after;
    case 1:
      return before + letter + word.slice(at);
    case 2:
      return before + letter + after;
    default: {
      const left = Math.min(at, word.length - 2);
      return word.slice(0, left) + word[left + 1]! + word[left]! + word.slice(left + 2);
    }
  }
}
