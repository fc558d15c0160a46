/** Fits the probability that a message depends on the turn before: src/governance/follow-up/leaning.ts. */
import { type LeaningSignals, signsOfLeaning } from "../../../src/governance/follow-up/leaning.ts";
import { chanceOf } from "../../../src/intent/calibration/calibration.ts";
import type { EncoderInput } from "../../../src/intent/classifier.ts";
import { openEncoder } from "../../../src/intent/encoder/encoder.ts";
import { type Random, seededRandom } from "../../../src/intent/training/random.ts";
import { areaUnderCurve } from "../../../src/operate/evaluate.ts";
import { unseenLines } from "./episodes.ts";
import { fitLogistic, type Trial } from "./fit-logistic.ts";
import { pickOne } from "./pick.ts";

/** The message before, and the intent or passage that answered it; null if nothing did. */
interface Before {
  visitor: string;
  about: string | null;
}

/** A line of `episodes/documents/*.jsonl`, as far as it counts here. */
interface DocumentsLine {
  bot: string;
  passages: { heading: string }[];
  questions: { text: string; target: string | null }[];
  followups: { before: Before[]; say: string; needs: boolean }[];
}

interface IntentsLine {
  bot: string;
  intents: { name: string; label: string }[];
}

/** A message behind a turn, and whether it leans on it. */
interface LeaningTrial {
  bot: string;
  signals: LeaningSignals;
  leans: boolean;
}

const SIGNALS = ["unchanged", "nearSubject", "unanswered", "goesOn", "pointsBack", "ownWords"] as const;
const PULL = 1e-4;
const SEED = 45;

/**
 * Prints the constants, some two minutes, and how well they tell the one from the other on bots that they are not fitted to. Follow-ups lean where
 * their writer says so; questions behind a turn of the same bot that has nothing to do with them do not. Each is tried with and without what
 * was answered. Both kinds count alike.
 */
export function fitLeaning(): void {
  const random = seededRandom(SEED);
  const intents = new Map(unseenLines<IntentsLine>("episodes").map((line) => [line.bot, line]));
  const trials = unseenLines<DocumentsLine>("episodes/documents").flatMap((line) =>
    trialsOf(line, intents.get(line.bot)!, random),
  );
  const coefficients = fitTo(trials);
  for (const [i, name] of [...SIGNALS, "constant"].entries())
    console.log(`  ${name}: ${Number(coefficients[i]!.toFixed(2))},`);
  const chances = [...new Set(trials.map(({ bot }) => bot))].flatMap((bot) => {
    const others = fitTo(trials.filter((trial) => trial.bot !== bot));
    return trials
      .filter((trial) => trial.bot === bot)
      .map((trial) => ({ ...trial, chance: chanceOf(inputsOf(trial.signals), others) }));
  });
  const of = (leans: boolean) => chances.filter((trial) => trial.leans === leans).map(({ chance }) => chance);
  console.log(`\nby what is fitted to other bots: AUROC ${areaUnderCurve(of(true), of(false))!.toFixed(3)}`);
  for (const least of [0.2, 0.5]) {
    const [found, bent] = [of(true), of(false)].map(
      (values) => values.filter((chance) => chance >= least).length / values.length,
    );
    console.log(`  from ${least} on: ${found!.toFixed(2)} of those that lean, ${bent!.toFixed(2)} of others`);
  }
}

function trialsOf(
  { bot, passages, questions, followups }: DocumentsLine,
  { intents }: IntentsLine,
  random: Random,
) {
  const nameOf = (about: string) =>
    about.startsWith("passage:")
      ? passages[Number(about.slice("passage:".length))]!.heading
      : intents.find(({ name }) => `intent:${name}` === about)!.label;
  const answered = questions.filter(({ target }) => target !== null);
  const trials: LeaningTrial[] = [];
  const tryOne = (text: string, { visitor, about }: Before, leans: boolean) => {
    for (const subject of new Set([about === null ? undefined : nameOf(about), undefined]))
      trials.push({ bot, leans, signals: signalsOf(text, visitor, subject) });
  };
  for (const { before, say, needs } of followups) tryOne(say, before.at(-1)!, needs);
  for (const { text } of questions) {
    const other = pickOne(answered, random);
    if (other.text !== text) tryOne(text, { visitor: other.text, about: other.target }, false);
  }
  return trials;
}

function signalsOf(text: string, before: string, subject: string | undefined): LeaningSignals {
  const inContext = encode({ form: "followUp", text, before, ...(subject !== undefined && { subject }) });
  return {
    unchanged: cosine(encode({ form: "message", text }), inContext),
    nearSubject: subject === undefined ? 0 : cosine(inContext, encode({ form: "passage", text: subject })),
    unanswered: Number(subject === undefined),
    ...signsOfLeaning(text),
  };
}

function encode(input: EncoderInput): Float32Array {
  return openEncoder()!.encode(input)!;
}

function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, i) => sum + value * right[i]!, 0);
}

function inputsOf(signals: LeaningSignals): Float64Array {
  return Float64Array.from(SIGNALS, (name) => signals[name]);
}

function fitTo(trials: readonly LeaningTrial[]): Float64Array {
  const weightOf = (leans: boolean) => 1 / trials.filter((trial) => trial.leans === leans).length;
  const [leaning, alone] = [weightOf(true), weightOf(false)];
  const weighed = trials.map(({ signals, leans }): Trial => ({
    inputs: inputsOf(signals),
    happened: leans,
    weight: leans ? leaning : alone,
  }));
  return fitLogistic(weighed, new Float64Array(SIGNALS.length + 1), PULL);
}
