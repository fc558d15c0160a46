import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { loadDataSet } from "../intent/data-sets.ts";
import { seededRandom, shuffled } from "./random.ts";

export interface Utterance {
  text: string;
  intent: string;
}

export interface TestedSet {
  name: string;
  /** Texts for training. */
  train: readonly Utterance[];
  /** Texts that are measured; in scope only. */
  tested: readonly Utterance[];
  outOfScope: readonly Utterance[];
}

/** `test` reports; `tuning` never reads a test split, but judges the validation split or a held-out part of the training one. */
export type Purpose = "test" | "tuning";

const OUT_OF_SCOPE = "oos";
const HELD_OUT_SHARE = 0.3;

/** A share of each intent's lines, by a seeded shuffle. */
function heldOut(lines: readonly Utterance[]): Set<Utterance> {
  const byIntent = Map.groupBy(shuffled(lines, seededRandom(78)), ({ intent }) => intent);
  return new Set(
    [...byIntent.values()].flatMap((some) => some.slice(0, Math.floor(some.length * HELD_OUT_SHARE))),
  );
}

function testedSet(folder: string, name: string, purpose: Purpose): TestedSet {
  const { rows } = loadDataSet(folder, name);
  const testedSplit = purpose === "test" ? "test" : "valid";
  const inScope = rows.filter(({ intent }) => intent !== OUT_OF_SCOPE);
  const outOfScope = rows.filter(({ intent, split }) => intent === OUT_OF_SCOPE && split === testedSplit);
  const train = inScope.filter(({ split }) => split === "train");
  const tested = inScope.filter(({ split }) => split === testedSplit);
  if (tested.length > 0) return { name, train, tested, outOfScope };
  const held = heldOut(train);
  return { name, train: train.filter((line) => !held.has(line)), tested: [...held], outOfScope };
}

/** Every data set of the folder, or the named ones. */
export function testedSets(folder: string, purpose: Purpose, names?: readonly string[]): TestedSet[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "data.jsonl")) && (names?.includes(name) ?? true))
    .toSorted()
    .map((name) => testedSet(folder, name, purpose));
}
