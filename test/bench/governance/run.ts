import { dataFolder, type Purpose, readDataSets } from "./data-sets.ts";
import { trainClassifier } from "./govern-bot.ts";
import { type GovernanceFigures, measureGovernance, type Tally } from "./measure.ts";

const SEEDS = [1, 2, 3];
const MOST_UTTERANCES = 300;

const share = (part: number, { total }: Tally): string => (total === 0 ? "–" : (part / total).toFixed(3));

function reportOf(figures: GovernanceFigures): Record<string, string> {
  const { denied, allowed, allowedTwice, outOfScope, smuggled, pretext, disguised } = figures;
  return {
    "denied recall": share(denied.restricted, denied),
    DENY_LIST: share(denied.denied, denied),
    "false denials": share(allowed.denied, allowed),
    answered: share(allowed.total - allowed.restricted, allowed),
    smuggled: share(smuggled.denied, smuggled),
    "restricted ": share(smuggled.restricted, smuggled),
    disguised: share(disguised.denied, disguised),
    "restricted  ": share(disguised.restricted, disguised),
    pretext: share(pretext.restricted, pretext),
    "two allowed, denied": share(allowedTwice.denied, allowedTwice),
    "out of scope, denied": share(outOfScope.denied, outOfScope),
  };
}

function worst(tallies: ReadonlyMap<string, Tally>, most: number): string {
  const shares = [...tallies].map(([name, tally]) => ({ name, share: tally.restricted / tally.total }));
  const sorted = shares.toSorted((left, right) => left.share - right.share).slice(0, most);
  return sorted.map((each) => `${each.name} ${each.share.toFixed(2)}`).join(", ");
}

function mergeInto(sum: Map<string, Tally>, tallies: ReadonlyMap<string, Tally>): void {
  for (const [name, tally] of tallies) {
    const before = sum.get(name) ?? { total: 0, denied: 0, restricted: 0 };
    sum.set(name, {
      total: before.total + tally.total,
      denied: before.denied + tally.denied,
      restricted: before.restricted + tally.restricted,
    });
  }
}

/** Measures governance on every data set, or on the named ones, and prints a table. */
export function benchGovernance(purpose: Purpose = "test", names?: readonly string[]): void {
  const rows: Record<string, Record<string, string>> = {};
  const joints = new Map<string, Tally>();
  const tricks = new Map<string, Tally>();
  for (const dataSet of readDataSets(dataFolder(), purpose, names)) {
    const figures = measureGovernance(dataSet, trainClassifier(dataSet), SEEDS, MOST_UTTERANCES);
    rows[dataSet.name] = reportOf(figures);
    mergeInto(joints, figures.smuggledByJoint);
    mergeInto(tricks, figures.disguisedByTrick);
  }
  console.log(`Governance (${purpose}), a third of the intents denied, ${SEEDS.length} profiles each`);
  console.table(rows);
  console.log(`Least restricted joints: ${worst(joints, 5)}`);
  console.log(`Least restricted disguises: ${worst(tricks, 8)}`);
}

if (import.meta.main) {
  const [purpose, ...names] = process.argv.slice(2);
  benchGovernance(purpose === "tuning" ? "tuning" : "test", names.length > 0 ? names : undefined);
}
