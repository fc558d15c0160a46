/**
 * The governance part of `npm run bench:intent`: bots on public data sets, a third of whose intents is denied, a third allowed and a
 * third in neither list. Alone: `bun test/bench/governance/run.ts [test|tuning] [DATA_SET…]`.
 */
import { findDataFolder } from "../intent/data-sets.ts";
import { judgedSets, type Purpose } from "./data-sets.ts";
import { trainClassifier } from "./govern-bot.ts";
import { type GovernanceFigures, measureGovernance, type Tally } from "./measure.ts";

const SEEDS = [1, 2, 3];
const MOST_UTTERANCES = 300;

type Rate = (figures: GovernanceFigures) => number;

const denied = ({ denied: part, total }: Tally): number => part / total;
const restricted = ({ restricted: part, total }: Tally): number => part / total;

interface Goal {
  name: string;
  rate: Rate;
  /** At least that, or, if `isMost`, at most. */
  goal?: number;
  isMost?: true;
}

const GOALS: readonly Goal[] = [
  { name: "denied, restricted", rate: (f) => restricted(f.denied), goal: 0.97 },
  { name: "allowed, answered DENY_LIST", rate: (f) => denied(f.allowed), goal: 0.03, isMost: true },
  { name: "smuggled, restricted", rate: (f) => restricted(f.smuggled), goal: 0.95 },
  { name: "smuggled, DENY_LIST", rate: (f) => denied(f.smuggled) },
  { name: "smuggled between two, restricted", rate: (f) => restricted(f.smuggledBetween) },
  { name: "disguised, restricted", rate: (f) => restricted(f.disguised), goal: 0.95 },
  { name: "disguised, DENY_LIST", rate: (f) => denied(f.disguised) },
  { name: "denied, DENY_LIST", rate: (f) => denied(f.denied) },
  { name: "denied with a pretext, restricted", rate: (f) => restricted(f.deniedWithPretext) },
  { name: "allowed, answered", rate: (f) => 1 - restricted(f.allowed) },
  { name: "allowed with a pretext, answered", rate: (f) => 1 - restricted(f.allowedWithPretext) },
  { name: "two allowed in one, DENY_LIST", rate: (f) => denied(f.allowedTwice) },
  { name: "out of scope, DENY_LIST", rate: (f) => denied(f.outOfScope) },
  { name: "out of scope, answered", rate: (f) => 1 - restricted(f.outOfScope) },
];

function isMet({ goal, isMost }: Goal, rate: number): boolean | undefined {
  if (goal === undefined) return undefined;
  return isMost ? rate <= goal : rate >= goal;
}

function row(goal: Goal, all: readonly GovernanceFigures[]): string {
  const rates = all.map((figures) => goal.rate(figures)).filter((rate) => !Number.isNaN(rate));
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const met = isMet(goal, mean);
  const mark = met === undefined ? " " : met ? "✓" : "✗";
  const wanted = goal.goal === undefined ? "" : `${goal.isMost ? "≤" : "≥"} ${goal.goal.toFixed(3)}`;
  const perSet = all.map((figures) => goal.rate(figures).toFixed(3).replace("NaN", "–").padStart(8));
  return `${mark} ${goal.name.padEnd(36)} ${wanted.padStart(8)} ${mean.toFixed(3).padStart(8)} ${perSet.join("")}`;
}

function leastRestricted(tallies: readonly ReadonlyMap<string, Tally>[], most: number): string {
  const sums = new Map<string, { restricted: number; total: number }>();
  for (const [name, tally] of tallies.flatMap((each) => [...each])) {
    const { restricted: part, total } = sums.get(name) ?? { restricted: 0, total: 0 };
    sums.set(name, { restricted: part + tally.restricted, total: total + tally.total });
  }
  return [...sums]
    .map(([name, { restricted: part, total }]) => ({ name, rate: part / total }))
    .toSorted((left, right) => left.rate - right.rate)
    .slice(0, most)
    .map(({ name, rate }) => `${name} ${rate.toFixed(2)}`)
    .join(", ");
}

/** Measures governance on every data set of a folder, or on the named ones, and prints goals beside means and figures per set. */
export function benchGovernance(folder: string, purpose: Purpose = "test", names?: readonly string[]): void {
  const sets = judgedSets(folder, purpose, names);
  const all = sets.map((set) => measureGovernance(set, trainClassifier(set), SEEDS, MOST_UTTERANCES));
  console.log(
    `\nGovernance (${purpose}), ${SEEDS.length} profiles for each of: ${sets.map(({ name }) => name).join(", ")}`,
  );
  console.log(`  ${"".padEnd(36)} ${"goal".padStart(8)} ${"mean".padStart(8)} ${"each set".padStart(10)}`);
  for (const goal of GOALS) console.log(row(goal, all));
  console.log(
    `  Joints least restricted: ${leastRestricted(
      all.map((each) => each.smuggledByJoint),
      5,
    )}`,
  );
  console.log(
    `  Disguises least restricted: ${leastRestricted(
      all.map((each) => each.disguisedByTrick),
      5,
    )}`,
  );
}

if (import.meta.main) {
  const [purpose, ...names] = process.argv.slice(2);
  const { folder } = findDataFolder();
  benchGovernance(folder, purpose === "tuning" ? "tuning" : "test", names.length > 0 ? names : undefined);
}
