/**
 * Prints the log odds that src/governance/suspicion/plausibility.ts gives to the evidence of a clause, fitted by logistic regression on
 * the training and validation parts of the data sets: `bun test/bench/governance/fit-clause-odds.ts [DATA_SET…]`.
 */
import type { Classifier } from "../../../src/domain/decision.ts";
import { findDeniedClause } from "../../../src/governance/suspicion/clauses.ts";
import { clauseEvidence, plausibilityOf } from "../../../src/governance/suspicion/plausibility.ts";
import type { Standings } from "../../../src/governance/suspicion/plausibility.ts";
import { findDataFolder } from "../intent/data-sets.ts";
import { testedSets } from "./data-sets.ts";
import { governBot, trainClassifier } from "./govern-bot.ts";
import { seededRandom } from "./random.ts";
import { JOINTS, smuggled } from "./smuggling.ts";

interface Trial {
  evidence: readonly number[];
  asksForDenied: boolean;
}

const SEEDS = [1, 2, 3];
const MAX_PER_KIND = 300;
const STEPS = 4000;
const STEP_SIZE = 0.1;

function trialOf(
  text: string,
  asksForDenied: boolean,
  classifier: Classifier,
  standings: Standings,
): Trial | undefined {
  const clause = findDeniedClause(classifier.scan(text), standings, classifier.intents.length);
  if (clause === undefined) return undefined;
  const whole = plausibilityOf(classifier.classify(text), standings);
  return { evidence: clauseEvidence(clause, whole), asksForDenied };
}

/** Equal numbers of messages with a denied request beside an allowed one, and with two allowed ones. */
function trialsOf(set: ReturnType<typeof testedSets>[number]): Trial[] {
  const classifier = trainClassifier(set);
  return SEEDS.flatMap((seed) => {
    const { denied, allowed, standings } = governBot(classifier, set, seed);
    const random = seededRandom(seed);
    const count = Math.min(denied.length, allowed.length, MAX_PER_KIND);
    return Array.from({ length: count }, (_, i) => {
      const joint = JOINTS[(i + seed * 7) % JOINTS.length]!;
      const [other, next] = [allowed[i]!.text, allowed[(i + 1) % allowed.length]!.text];
      return [
        trialOf(smuggled(other, denied[i]!.text, joint, random), true, classifier, standings),
        trialOf(smuggled(other, next, joint, random), false, classifier, standings),
      ];
    })
      .flat()
      .filter((trial) => trial !== undefined);
  });
}

const chanceBy = (weights: readonly number[], evidence: readonly number[]): number =>
  1 / (1 + Math.exp(-evidence.reduce((odds, value, i) => odds + weights[i]! * value, 0)));

/** Weights of the evidence, by gradient descent on the mean log loss. */
function fit(trials: readonly Trial[]): number[] {
  const weights = trials[0]!.evidence.map(() => 0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map(() => 0);
    for (const { evidence, asksForDenied } of trials) {
      const error = chanceBy(weights, evidence) - (asksForDenied ? 1 : 0);
      evidence.forEach((value, i) => (gradient[i]! += (error * value) / trials.length));
    }
    gradient.forEach((slope, i) => (weights[i]! -= STEP_SIZE * slope));
  }
  return weights;
}

const { folder } = findDataFolder();
const names = process.argv.slice(2);
const trials = testedSets(folder, "tuning", names.length > 0 ? names : undefined).flatMap(trialsOf);
const [anywhere, atSeams, whole, constant] = fit(trials).map((weight) => Number(weight.toFixed(2)));
console.log(`${trials.length} messages:`, { anywhere, atSeams, whole, constant });
