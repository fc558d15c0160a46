/** Prints, as JSON, what the engine is worth by five seeds; run by `run.ts`, in a process of its own for each part that is left out. */
import { openIntentModel } from "../../../../src/intent/classifier.ts";
import { seededRandom } from "../../../../src/intent/training/random.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";
import { areaUnderCurve, evaluatePredictions, measureSpeed } from "../../../../src/operate/evaluate.ts";
import { predictIntents } from "../../../support/predict-intents.ts";
import { testedSets } from "../../governance/data-sets.ts";
import { trainClassifier } from "../../governance/govern-bot.ts";
import { measureDenials } from "../../governance/measure.ts";
import { answeredShare, deniedShare, restrictedShare } from "../../governance/tally.ts";
import { readRealisticBots } from "../../realistic/messages.ts";
import { calibrationSources } from "../calibration-sources.ts";
import { findDataFolder, loadDataSet, trainingIntents, utterancesOf } from "../data-sets.ts";
import { pickMany } from "../pick.ts";
import { simulateBotsWith } from "../simulated-bots.ts";
import { judgeInStages } from "../staged-trials.ts";
import type { Costs, Figures, Measured } from "./figures.ts";
import { PARTS, SIGNAL_GROUPS } from "./parts.ts";
import { isInScope, type Judged, Refit } from "./refit.ts";
import { type RawBot, realisticBot, trainForTrials } from "./trials.ts";
import { keepVectors } from "./vectors.ts";

const SEEDS = [1, 2, 3, 4, 5];
/** Bots of five examples an intent, as a first operator's are. */
const SIMULATED = { intents: [4, 6, 8, 10, 12, 15, 20], examples: [5] };
const SIMULATED_PER_SEED = 24;
const PUBLIC = { sets: ["clinc150", "banking77"], examples: 10, most: 500 };
const LARGE = "clinc150";
const GOVERNANCE = { seeds: 1, most: 60 };

const part = PARTS.find(({ name }) => name === process.env["PARLEY_WITHOUT"]);
const without = new Set(part?.signals);
const { folder } = findDataFolder();
const vectors = keepVectors(process.env["PARLEY_VECTORS"]!);

const sources = calibrationSources();
const simulated = SEEDS.map((seed) =>
  simulateBotsWith<RawBot["trials"][number]>(
    (bot) => trainForTrials(bot, seed),
    sources,
    SIMULATED,
    SIMULATED_PER_SEED,
    1000 + seed,
  ).map((bot): RawBot => ({ ...bot, examplesPerIntent: SIMULATED.examples[0]! })),
);

function auroc(judged: readonly (readonly Judged[])[], origin: string): number {
  const each = judged.flatMap((bot) => {
    const chances = (kept: (one: Judged) => boolean) => bot.filter(kept).map(({ inScope }) => inScope);
    const [own, others] = [
      chances(({ trial }) => isInScope(trial)),
      chances(({ trial }) => trial.origin === origin),
    ];
    return areaUnderCurve(own, others) ?? [];
  });
  return each.reduce((sum, value) => sum + value, 0) / each.length;
}

/** Means over bots. */
function right(judged: readonly (readonly Judged[])[]): number {
  const shares = judged.map((bot) => {
    const own = bot.filter(({ trial }) => trial.origin === "own");
    return own.filter(({ trial, best }) => best === trial.label).length / own.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

type SmallBotFigures = Pick<
  Figures,
  "realRight" | "realNear" | "realFar" | "drawnRight" | "drawnBeside" | "drawnElsewhere"
>;

const realistic = SEEDS.map((seed) => readRealisticBots().map((bot) => realisticBot(bot, seed)));

/** Each half of the realistic bots is judged by calibrations that were fitted to the other half, and to simulated bots of other seeds. */
function smallBots(seed: number, leftOut: ReadonlySet<string>): SmallBotFigures {
  const place = SEEDS.indexOf(seed);
  const others = simulated.filter((_, i) => i !== place).flat();
  const halves = [0, 1].map((half) => realistic[place]!.filter((_, i) => i % 2 === half));
  const refits = halves.map((_, half) => new Refit(others, halves[1 - half]!, leftOut));
  const judgedBy = (refit: Refit, bots: readonly RawBot[]) =>
    bots.map((bot) => bot.trials.map((trial) => refit.judge(bot, trial)));
  const real = halves.flatMap((bots, half) => judgedBy(refits[half]!, bots));
  const drawn = judgedBy(refits[0]!, simulated[place]!);
  return {
    realRight: right(real),
    realNear: auroc(real, "beside"),
    realFar: auroc(real, "elsewhere"),
    drawnRight: right(drawn),
    drawnBeside: auroc(drawn, "beside"),
    drawnElsewhere: auroc(drawn, "elsewhere"),
  };
}

/** Accuracy with ten examples an intent, which the seed draws. */
function publicSets(seed: number): number {
  const shares = PUBLIC.sets.map((name) => {
    const random = seededRandom(seed);
    const intents = trainingIntents(loadDataSet(folder, name)).map(({ name: intent, examples = [] }) => {
      const drawn = pickMany(examples, examples.length, random);
      return {
        name: intent,
        examples: drawn.slice(0, PUBLIC.examples),
        unseen: drawn.slice(PUBLIC.examples),
      };
    });
    const asked = intents.flatMap(({ unseen }, label) => unseen.map((text) => ({ text, label })));
    const tryOne = judgeInStages(intents);
    const tried = pickMany(asked, PUBLIC.most, random).flatMap(({ text, label }) =>
      tryOne(text, "own", label),
    );
    return tried.filter(({ after, label }) => after.ranked[0] === label).length / tried.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** A bot of thousands of examples, by its validation lines. */
function largeBot(seed: number): Pick<Figures, "largeRight" | "largeFar" | "largeError"> {
  const data = loadDataSet(folder, LARGE);
  const classifier = openIntentModel(trainIntentModel(trainingIntents(data), { seed }).model);
  const evaluation = evaluatePredictions(predictIntents(classifier, utterancesOf(data, "valid")));
  return {
    largeRight: evaluation.inScopeAccuracy!,
    largeFar: evaluation.outOfScopeAuroc!,
    largeError: evaluation.expectedCalibrationError!,
  };
}

const governed = testedSets(folder, "tuning").map((set) => ({ set, classifier: trainClassifier(set) }));

function governance(
  seed: number,
): Pick<Figures, "denied" | "smuggled" | "smuggledDenied" | "allowed" | "allowedTwice" | "allowedPretext"> {
  const profiles = Array.from({ length: GOVERNANCE.seeds }, (_, i) => GOVERNANCE.seeds * seed + i);
  const all = governed.map(({ set, classifier }) =>
    measureDenials(set, classifier, profiles, GOVERNANCE.most),
  );
  const mean = (rate: (figures: (typeof all)[number]) => number) => {
    const rates = all.map(rate).filter((value) => !Number.isNaN(value));
    return rates.reduce((sum, value) => sum + value, 0) / rates.length;
  };
  return {
    denied: mean((figures) => restrictedShare(figures.denied)),
    smuggled: mean((figures) => restrictedShare(figures.smuggled)),
    smuggledDenied: mean((figures) => deniedShare(figures.smuggled)),
    allowed: mean((figures) => answeredShare(figures.allowed)),
    allowedTwice: mean((figures) => answeredShare(figures.allowedTwice)),
    allowedPretext: mean((figures) => answeredShare(figures.allowedWithPretext)),
  };
}

/** Of a bot of 20 intents with 20 examples, whose examples are encoded already. */
function costs(): Costs {
  const data = loadDataSet(folder, LARGE);
  const intents = trainingIntents(data, 20).slice(0, 20);
  trainIntentModel(intents);
  const start = process.cpuUsage();
  const { model } = trainIntentModel(intents);
  const { user, system } = process.cpuUsage(start);
  const classifier = openIntentModel(model);
  const texts = utterancesOf(data, "valid").map(({ text }) => text);
  const microseconds = Array.from({ length: 4 }, () =>
    measureSpeed(classifier, texts, () => performance.now()),
  );
  return { trainMs: (user + system) / 1000, microseconds: Math.min(...microseconds), bytes: model.length };
}

function measureSeed(seed: number): Figures {
  process.stderr.write(".");
  return {
    ...smallBots(seed, without),
    publicRight: publicSets(seed),
    ...largeBot(seed),
    ...governance(seed),
  };
}

/** What single signals are worth needs no other models: the same trials are calibrated without them. */
function measureWithoutSignals(seeds: readonly Figures[]): Record<string, Figures[]> {
  return Object.fromEntries(
    Object.entries(SIGNAL_GROUPS).map(([name, signals]) => {
      process.stderr.write(".");
      return [name, seeds.map((figures, i) => ({ ...figures, ...smallBots(SEEDS[i]!, new Set(signals)) }))];
    }),
  );
}

const seeds = SEEDS.map(measureSeed);
const measured: Measured = {
  costs: costs(),
  seeds,
  ...(part === undefined && { withoutSignals: measureWithoutSignals(seeds) }),
};
vectors.save();
console.log(JSON.stringify(measured));
