/**
 * Prints what the sentence encoder brings, before → after: `bun test/bench/intent/measure-sentences.ts`, two minutes. Realistic bots are
 * those of test/bench/realistic; of public data sets, bots learn the first examples of each intent and are asked validation lines, or
 * training lines that they have not seen. Nothing was fitted to test bots or validation lines.
 */
import { areaUnderCurve } from "../../../src/operate/evaluate.ts";
import { readRealisticBots } from "../realistic/messages.ts";
import { SHARE_IN_SCOPE } from "./assumed-shares.ts";
import { findDataFolder, loadDataSet, trainingIntents } from "./data-sets.ts";
import { judgeInStages, type StagedTrial, stagedTrialsOf } from "./staged-trials.ts";

type Stage = "before" | "after";

const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const MOST_ASKED = 1500;

function share(trials: readonly StagedTrial[], holds: (trial: StagedTrial) => boolean): number {
  return trials.filter(holds).length / Math.max(1, trials.length);
}

function changed(figure: (stage: Stage) => number | null, digits = 3): string {
  return (["before", "after"] as const).map((stage) => figure(stage)?.toFixed(digits) ?? "–").join(" → ");
}

/** Means over bots of figures that compare chances; those of one bot compare with each other alone. */
function meanAuroc(
  bots: readonly (readonly StagedTrial[])[],
  positive: (trial: StagedTrial) => boolean,
  negative: (trial: StagedTrial) => boolean,
  stage: Stage,
): number | null {
  const each = bots.flatMap((trials) => {
    const of = (holds: (trial: StagedTrial) => boolean) =>
      trials.filter(holds).map((trial) => trial[stage].inScope);
    return areaUnderCurve(of(positive), of(negative)) ?? [];
  });
  return each.length === 0 ? null : each.reduce((sum, value) => sum + value, 0) / each.length;
}

const isOwn = ({ origin }: StagedTrial) => origin === "own";
const isRight = (stage: Stage) => (trial: StagedTrial) =>
  isOwn(trial) && trial[stage].ranked[0] === trial.label;
const isAmongThree = (stage: Stage) => (trial: StagedTrial) =>
  trial[stage].ranked.slice(0, 3).includes(trial.label);

function describe(title: string, bots: readonly (readonly StagedTrial[])[], shareInScope: number): void {
  const own = bots.flat().filter(isOwn);
  const isInScope = ({ origin }: StagedTrial) => origin === "own" || origin === "denied";
  const auroc = (origin: string) =>
    changed((stage) => meanAuroc(bots, isInScope, (trial) => trial.origin === origin, stage));
  const encoded = share(own, ({ isEncoded }) => isEncoded).toFixed(2);
  console.log(`\n${title}: ${bots.length} bots, ${own.length} messages in scope, ${encoded} of them encoded`);
  console.log(`  right                      ${changed((stage) => share(own, isRight(stage)))}`);
  console.log(`  among the best three       ${changed((stage) => share(own, isAmongThree(stage)))}`);
  console.log(`  AUROC against near-domain  ${auroc("beside")}`);
  console.log(`  AUROC against far          ${auroc("elsewhere")}`);
  console.log(
    `  calibration error          ${changed((stage) => calibrationError(bots.flat(), stage, shareInScope))}`,
  );
}

/** Of confidence, in ten bins; both of what is in scope and of what is not counts as much as its share is assumed to be. */
function calibrationError(trials: readonly StagedTrial[], stage: Stage, shareInScope: number): number {
  const counted = trials.filter(({ origin }) => origin !== "denied");
  const own = counted.filter(isOwn).length;
  const gaps = new Float64Array(10);
  for (const trial of counted) {
    const weight = isOwn(trial) ? shareInScope / own : (1 - shareInScope) / Math.max(1, counted.length - own);
    const { confidence } = trial[stage];
    const right = isRight(stage)(trial) ? 1 : 0;
    gaps[Math.min(9, Math.floor(confidence * 10))]! += weight * (confidence - right);
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0);
}

/** What comes of thresholds, by the chances of the stage. */
function describeThresholds(trials: readonly StagedTrial[], stage: Stage): void {
  const own = trials.filter(isOwn);
  const of = (origin: string) => trials.filter((trial) => trial.origin === origin);
  const percent = (value: number) => (100 * value).toFixed(0).padStart(7);
  console.log(
    `  ${stage}: % at least t: confidence of right, wrong in scope, near, far; inScope of own, near, far`,
  );
  for (const t of THRESHOLDS) {
    const sure = (trial: StagedTrial) => trial[stage].confidence >= t;
    const inScope = (trial: StagedTrial) => trial[stage].inScope >= t;
    const cells = [
      share(own, (trial) => sure(trial) && isRight(stage)(trial)),
      share(own, (trial) => sure(trial) && !isRight(stage)(trial)),
      share(of("beside"), sure),
      share(of("elsewhere"), sure),
      share(own, inScope),
      share(of("beside"), inScope),
      share(of("elsewhere"), inScope),
    ];
    console.log(`  ${t.toFixed(1)} ${cells.map(percent).join("")}`);
  }
}

const realistic = readRealisticBots().map((bot) => ({ ...bot, ...stagedTrialsOf(bot) }));
for (const part of ["tuning", "test"] as const) {
  const bots = realistic.filter((bot) => bot.part === part);
  const english = bots.filter(({ language }) => language === "en");
  describe(
    `realistic, ${part}, English`,
    english.map(({ trials }) => trials),
    SHARE_IN_SCOPE.few,
  );
  describe(
    `realistic, ${part}, other languages`,
    bots.filter((bot) => !english.includes(bot)).map(({ trials }) => trials),
    SHARE_IN_SCOPE.few,
  );
  const all = bots.flatMap(({ trials }) => trials);
  describeThresholds(all, "before");
  describeThresholds(all, "after");
}

/** @param askedSplit in scope; what is out of scope is always of `valid`. */
function describeDataSet(name: string, examples: number): void {
  const data = loadDataSet(findDataFolder().folder, name);
  const intents = trainingIntents(data, examples);
  const names = intents.map((intent) => intent.name);
  const hasValid = data.rows.some(({ split, intent }) => split === "valid" && intent !== "oos");
  const known = new Set(intents.flatMap((intent) => intent.examples ?? []));
  const asked = data.rows.filter(
    ({ split, text }) => split === (hasValid ? "valid" : "train") && !known.has(text),
  );
  const step = Math.ceil(asked.length / MOST_ASKED);
  const tryOne = judgeInStages(intents);
  const trials = asked
    .filter((_, i) => i % step === 0)
    .flatMap(({ text, intent }) => {
      const label = names.indexOf(intent);
      return tryOne(text, label < 0 ? "elsewhere" : "own", label);
    });
  describe(`${name}, ${examples} examples an intent`, [trials], SHARE_IN_SCOPE.many);
}

for (const examples of [5, 10]) {
  describeDataSet("clinc150", examples);
  describeDataSet("banking77", examples);
}
