import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { seededRandom, shuffled } from "./random.ts";

export interface Utterance {
  text: string;
  intent: string;
  split: "train" | "valid" | "test";
}

export interface DataSet {
  name: string;
  /** What the classifier may learn from. */
  train: readonly Utterance[];
  /** What the figures are about; in scope only. */
  judged: readonly Utterance[];
  outOfScope: readonly Utterance[];
}

/** `test` reports, `tuning` never reads a test split: it judges the validation split, or a held-out part of the training one. */
export type Purpose = "test" | "tuning";

const OUT_OF_SCOPE = "oos";

/** Where the data sets are: `PARLEY_INTENT_DATA`, or `../shared/intent-data` beside the repository. */
export function dataFolder(): string {
  const given = process.env.PARLEY_INTENT_DATA;
  return given ?? resolve(import.meta.dir, "../../../../shared/intent-data");
}

/** Three in ten of each intent's lines, by a seeded shuffle. */
function heldOut(lines: readonly Utterance[]): Set<Utterance> {
  const byIntent = Map.groupBy(shuffled(lines, seededRandom(78)), ({ intent }) => intent);
  return new Set([...byIntent.values()].flatMap((some) => some.slice(0, Math.floor(some.length * 0.3))));
}

function readDataSet(folder: string, name: string, purpose: Purpose): DataSet {
  const lines = readFileSync(join(folder, name, "data.jsonl"), "utf8")
    .trim()
    .split("\n");
  const all = lines.map((line) => JSON.parse(line) as Utterance);
  const inScope = all.filter(({ intent }) => intent !== OUT_OF_SCOPE);
  const outOfScope = all.filter(
    ({ intent, split }) => intent === OUT_OF_SCOPE && split === (purpose === "test" ? "test" : "valid"),
  );
  const bySplit = (split: string) => inScope.filter((line) => line.split === split);
  if (purpose === "test") return { name, train: bySplit("train"), judged: bySplit("test"), outOfScope };
  if (bySplit("valid").length > 0) {
    return { name, train: bySplit("train"), judged: bySplit("valid"), outOfScope };
  }
  const held = heldOut(bySplit("train"));
  return { name, train: bySplit("train").filter((line) => !held.has(line)), judged: [...held], outOfScope };
}

/** Every data set of the folder, or the named ones. */
export function readDataSets(folder: string, purpose: Purpose, names?: readonly string[]): DataSet[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "data.jsonl")) && (names?.includes(name) ?? true))
    .toSorted()
    .map((name) => readDataSet(folder, name, purpose));
}
