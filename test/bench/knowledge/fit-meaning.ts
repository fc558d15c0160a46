import { glossText } from "../../../src/intent/gloss/gloss-text.ts";
/**
 * Prints the weights of `src/knowledge/meaning.ts` and the coefficients `BY_MEANING` of `confidence.ts`, and what they reach where they are
 * fitted on one half of the articles and measured on the other: `bun test/bench/knowledge/fit-meaning.ts`. English alone.
 */
import { BY_WORDS, confidenceOf, signalsOf, withNearness } from "../../../src/knowledge/confidence.ts";
import { MEANING_WEIGHTS, type Nearness, weighMeaning } from "../../../src/knowledge/meaning.ts";
import type { Question } from "../../../src/knowledge/question.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";
import { fitLogistic } from "../intent/fit-logistic.ts";
import { corpusOf } from "./corpus.ts";
import { dataFolder, type DataSet, FAQ, loadDataSet } from "./data-sets.ts";
import { encodedMeanings } from "./encoding.ts";
import { aurocOf, shareOf } from "./figures.ts";
import { measureQuestion } from "./systems.ts";
import {
  articlesLeftOut,
  fewArticles,
  messagesTo,
  passageLeftOut,
  tinyCorpora,
  type Trial,
} from "./trials.ts";

const PULL = 1e-6;
const CHOICES = [0, 0.3, 0.6];

interface Sample {
  question: Question;
  /** Signals by words, and with meaning. */
  words: Record<string, number>;
  meant: Record<string, number>;
  happened: boolean;
  isRight: boolean;
  wasRight: boolean;
  half: number;
}

const meanings = encodedMeanings();

async function sample({ corpus, text, passageId, half }: Trial, weights: Nearness): Promise<Sample[]> {
  const { question, ranked, signals, confidence } = measureQuestion(corpus, text);
  const found = await weighMeaning(text, ranked, meanings, weights);
  const again = found && signalsOf(question, found.ranked, corpus.index);
  if (signals === undefined || again === undefined || confidence === 0) return [];
  return [
    {
      question,
      words: { ...signals },
      meant: { ...withNearness(again, found!.nearness) },
      happened: passageId !== undefined,
      isRight: found!.ranked[0]!.hit.id === passageId,
      wasRight: ranked[0]!.hit.id === passageId,
      half,
    },
  ];
}

const folder = dataFolder();
const english = loadDataSet(folder, "xquad-en");
const faq = loadDataSet(folder, FAQ);
const chat = generalRequestsIn("en").filter((_, place) => place % 4 === 0);

interface Group {
  name: string;
  weight: number;
  samples: Sample[];
}

async function group(
  name: string,
  weight: number,
  trials: Iterable<Trial>,
  weights = MEANING_WEIGHTS,
): Promise<Group> {
  const samples: Sample[] = [];
  for (const trial of trials) samples.push(...(await sample(trial, weights)));
  return { name, weight, samples };
}

/** The English passages, asked in another language: each second question, as glosses have it. */
function askedIn(language: "de" | "es"): DataSet {
  const { questions } = loadDataSet(folder, `xquad-${language}`);
  const some = questions.filter((_, place) => place % 2 === 0);
  return { ...english, questions: some.map((one) => ({ ...one, text: glossText(one.text, language) })) };
}

/** All questions to all passages. */
function* allOf(set: DataSet): Generator<Trial> {
  const corpus = corpusOf(set.passages, "en");
  for (const { text, passageId, article } of set.questions)
    yield { corpus, text, passageId, half: article % 2 };
}

console.log("the right passage first, English by halves / FAQ by halves");
for (const title of CHOICES) {
  for (const sentence of CHOICES) {
    const cells: string[] = [];
    for (const set of [english, faq]) {
      const { samples } = await group("", 1, allOf(set), { title, sentence });
      for (const half of [0, 1]) {
        const share = shareOf(
          samples.filter((one) => one.half === half),
          ({ isRight }) => isRight,
        );
        cells.push((100 * share).toFixed(1));
      }
    }
    console.log(`title ${title}, sentence ${sentence}: ${cells.join(" ")}`);
  }
}

const groups = [
  await group("English, articles left out", 1, articlesLeftOut(english)),
  await group("English, few articles", 0.5, fewArticles(english)),
  await group("English, passage left out", 0.3, passageLeftOut(english)),
  await group("English, one article", 0.5, tinyCorpora(english, 1, 3)),
  await group("English, three articles", 0.5, tinyCorpora(english, 3, 3)),
  await group("FAQ, items left out", 1, articlesLeftOut(faq)),
  await group("FAQ, few items", 0.5, fewArticles(faq)),
  await group("FAQ, item left out", 0.3, passageLeftOut(faq)),
  await group("FAQ, twelve items", 0.5, tinyCorpora(faq, 12, 2)),
  await group("German to English", 0.4, articlesLeftOut(askedIn("de"))),
  await group("Spanish to English", 0.4, articlesLeftOut(askedIn("es"))),
  await group("chat to English", 0.3, messagesTo(english, chat)),
  await group("chat to the FAQ", 0.3, messagesTo(faq, chat)),
];
const names = Object.keys(groups[0]!.samples[0]!.meant);

function fit(isUsed: (sample: Sample) => boolean): Record<string, number> {
  const trials = groups.flatMap(({ weight, samples }) =>
    samples.filter(isUsed).map(({ meant, happened }) => ({
      inputs: Float64Array.from(names, (name) => meant[name]!),
      happened,
      weight: weight / samples.length,
    })),
  );
  const fitted = fitLogistic(trials, new Float64Array(names.length + 1), PULL);
  return { ...Object.fromEntries(names.map((name, i) => [name, fitted[i]!])), constant: fitted.at(-1)! };
}

const crossed = [1, 0].map((half) => fit((used) => used.half === half));
console.log(`${"".padEnd(30)} AUROC, answered, right, falsely; by words, then by meaning`);
for (const { name, samples } of groups) {
  const figures = [
    {
      chanceOf: ({ question, words }: Sample) => confidenceOf(question, words, BY_WORDS),
      right: "wasRight" as const,
    },
    {
      chanceOf: ({ question, meant, half }: Sample) =>
        confidenceOf(question, meant, crossed[half] as typeof BY_WORDS),
      right: "isRight" as const,
    },
  ].flatMap(({ chanceOf, right }) => {
    const answerable = samples.filter(({ happened }) => happened);
    const others = samples.filter(({ happened }) => !happened);
    const answered = answerable.filter((one) => chanceOf(one) >= 0.6);
    return [
      aurocOf(answerable.map(chanceOf), others.map(chanceOf)),
      answered.length / answerable.length,
      shareOf(answered, (one) => one[right]),
      shareOf(others, (one) => chanceOf(one) >= 0.6),
    ];
  });
  console.log(name.padEnd(30), figures.map((figure) => (100 * figure).toFixed(1).padStart(6)).join(" "));
}
for (const [name, value] of Object.entries(fit(() => true))) console.log(`  ${name}: ${value.toFixed(2)},`);
