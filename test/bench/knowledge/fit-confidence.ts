/**
 * Prints the coefficients of `src/knowledge/confidence.ts`, and what they reach where they are fitted on one half of the articles and
 * measured on the other: `bun test/bench/knowledge/fit-confidence.ts`. Takes about two minutes.
 */
import { confidenceOf, type Signals } from "../../../src/knowledge/confidence.ts";
import type { Question } from "../../../src/knowledge/question.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";
import { fitLogistic } from "../intent/fit-logistic.ts";
import { type DataSet, dataFolder, loadDataSets } from "./data-sets.ts";
import { aurocOf, calibrationError, shareOf } from "./figures.ts";
import { measureQuestion } from "./systems.ts";
import {
  amongOthers,
  articlesLeftOut,
  fewArticles,
  messagesTo,
  passageLeftOut,
  type Trial,
} from "./trials.ts";

const NAMES = [
  "text",
  "rival",
  "covered",
  "strength",
  "grams",
  "units",
  "passages",
] as const satisfies (keyof Signals)[];
/** Strength of the L2 penalty where all trials together weigh 1: next to none, as trials are many and signals few. */
const PULL = 1e-6;

interface Sample {
  question: Question;
  signals: Signals;
  inputs: Float64Array;
  happened: boolean;
  isRight: boolean;
  half: number;
}

interface Group {
  name: string;
  /** What all its samples weigh together. */
  weight: number;
  samples: Sample[];
}

function sample({ corpus, text, passageId, half }: Trial): Sample[] {
  const { question, ranked, signals } = measureQuestion(corpus, text);
  if (signals === undefined || confidenceOf(question, signals) === 0) return [];
  const inputs = Float64Array.from(NAMES, (name) => signals[name]);
  const isRight = ranked[0]?.hit.id === passageId;
  return [{ question, signals, inputs, happened: passageId !== undefined, isRight, half }];
}

function groupsOf(xquad: readonly DataSet[], faq: DataSet): Group[] {
  const near = xquad.filter(({ language }) => ["en", "de", "ru", "tr"].includes(language));
  const group = (name: string, weight: number, trials: Iterable<Trial>): Group => ({
    name,
    weight,
    // Lazily: what a trial leaves out is there again behind it.
    samples: [...Iterator.from(trials).flatMap(sample)],
  });
  const ofLanguage = (code: string) => xquad.find(({ language }) => language === code)!;
  const chatTo = (set: DataSet, language: "en" | "de" | "es") =>
    messagesTo(
      set,
      generalRequestsIn(language).filter((_, place) => place % 4 === 0),
    );
  return [
    ...xquad.map((set) => group(`${set.name}, articles left out`, 1, articlesLeftOut(set))),
    ...xquad.map((set) => group(`${set.name}, few articles`, 0.5, fewArticles(set))),
    ...near.map((set) => group(`${set.name}, passage left out`, 0.1, passageLeftOut(set))),
    group("FAQ, items left out", 1, articlesLeftOut(faq)),
    group("FAQ, few items", 0.5, fewArticles(faq)),
    group("FAQ, item left out", 0.3, passageLeftOut(faq)),
    group(
      "English among 1,400",
      1,
      amongOthers(ofLanguage("en"), [...xquad.filter(({ language }) => language !== "en"), faq]),
    ),
    group("FAQ among 1,500", 0.5, amongOthers(faq, xquad)),
    ...(["en", "de", "es"] as const).map((code) =>
      group(`chat to ${code}`, 0.2, chatTo(ofLanguage(code), code)),
    ),
    group("chat to the FAQ", 0.2, chatTo(faq, "en")),
  ];
}

function fit(groups: readonly Group[], isUsed: (sample: Sample) => boolean): Float64Array {
  const trials = groups.flatMap(({ weight, samples }) =>
    samples.filter(isUsed).map((used) => ({ ...used, weight: weight / samples.length })),
  );
  return fitLogistic(trials, new Float64Array(NAMES.length + 1), PULL);
}

function asCoefficients(fitted: Float64Array): Record<keyof Signals | "constant", number> {
  const named = Object.fromEntries(NAMES.map((name, i) => [name, fitted[i]!])) as Record<
    keyof Signals,
    number
  >;
  return { ...named, constant: fitted.at(-1)! };
}

const { xquad, faq } = loadDataSets(dataFolder());
const groups = groupsOf(xquad, faq);
const crossed = [1, 0].map((half) => asCoefficients(fit(groups, (used) => used.half === half)));
const chanceOf = ({ question, signals, half }: Sample) => confidenceOf(question, signals, crossed[half]);

console.log("fitted on one half of the articles, measured on the other; at 0.6");
console.log(`${"".padEnd(34)} AUROC  answered  right  falsely`);
for (const { name, samples } of groups) {
  const answerable = samples.filter(({ happened }) => happened);
  const others = samples.filter(({ happened }) => !happened);
  const answered = answerable.filter((one) => chanceOf(one) >= 0.6);
  const figures = [
    aurocOf(answerable.map(chanceOf), others.map(chanceOf)),
    shareOf(answerable, (one) => chanceOf(one) >= 0.6),
    shareOf(answered, ({ isRight }) => isRight),
    shareOf(others, (one) => chanceOf(one) >= 0.6),
  ];
  console.log(name.padEnd(34), figures.map((figure) => (100 * figure).toFixed(1).padStart(7)).join(" "));
}
console.log(
  "calibration error",
  calibrationError(
    groups.flatMap(({ weight, samples }) =>
      samples.map((one) => ({
        chance: chanceOf(one),
        happened: one.happened,
        weight: weight / samples.length,
      })),
    ),
  ).toFixed(3),
);
console.log("fitted on all");
for (const [name, value] of Object.entries(asCoefficients(fit(groups, () => true))))
  console.log(`  ${name}: ${value.toFixed(2)},`);
