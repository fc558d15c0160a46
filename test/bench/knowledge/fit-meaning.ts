/**
 * Prints the weight of `src/knowledge/meaning.ts` and the coefficients `BY_MEANING` of `confidence.ts`, and what they reach where they are
 * fitted on half of the bots, or of the items, and measured on the other: `bun test/bench/knowledge/fit-meaning.ts`. Takes some three minutes.
 *
 * Fitted on documents that the encoder was not trained on: those of fourteen bots in nine languages (`PARLEY_INTENT_DATA`), of which ten, five
 * or dozens are a bot's, and a FAQ (`PARLEY_KNOWLEDGE_DATA`). XQuAD it has seen.
 */
import { confidenceOf, type SignalsWithMeaning, signalsOf } from "../../../src/knowledge/confidence.ts";
import { NEARNESS_WEIGHT, weighMeaning } from "../../../src/knowledge/meaning.ts";
import type { Question } from "../../../src/knowledge/question.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";
import { fitLogistic } from "../intent/fit-logistic.ts";
import { type BotDocuments, together, unseenDocuments } from "./bot-documents.ts";
import { corpusOf } from "./corpus.ts";
import { dataFolder, type DataSet, FAQ, loadDataSet } from "./data-sets.ts";
import { encodedMeanings } from "./encoding.ts";
import { aurocOf, calibrationError, shareOf } from "./figures.ts";
import { measureQuestion } from "./systems.ts";
import {
  articlesLeftOut,
  fewArticles,
  messagesTo,
  passageLeftOut,
  tinyCorpora,
  type Trial,
} from "./trials.ts";

/** Strength of the L2 penalty where all trials together weigh 1: next to none, as trials are many and signals few. */
const PULL = 1e-6;
const WEIGHTS = [0, 0.5, 1, 1.5, 2, 3, 4];
const NAMES = ["rival", "covered", "nearness"] as const satisfies (keyof SignalsWithMeaning)[];

interface Sample {
  question: Question;
  /** The chance by words, and whether their first passage is the right one. */
  byWords: number;
  wasRight: boolean;
  signals: Record<(typeof NAMES)[number], number>;
  happened: boolean;
  isRight: boolean;
  half: number;
}

interface Group {
  name: string;
  language: "English" | "others";
  /** What those that can be answered weigh together, and the others. */
  weight: number;
  samples: Sample[];
}

const meanings = encodedMeanings();

async function sample({ corpus, text, passageId, half }: Trial, weight: number): Promise<Sample[]> {
  const { question, ranked, confidence } = measureQuestion(corpus, text);
  const found = await weighMeaning(text, ranked, meanings, weight);
  const words = found && signalsOf(question, found.ranked, corpus.index);
  if (words === undefined || confidence === 0) return [];
  const { rival, covered } = words;
  return [
    {
      question,
      byWords: confidence,
      wasRight: ranked[0]!.hit.id === passageId,
      signals: { rival, covered, nearness: found!.nearness },
      happened: passageId !== undefined,
      isRight: found!.ranked[0]!.hit.id === passageId,
      half,
    },
  ];
}

async function samplesOf(trials: Iterable<Trial>, weight = NEARNESS_WEIGHT): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const trial of trials) samples.push(...(await sample(trial, weight)));
  return samples;
}

/** All questions to all passages. */
function* allOf(set: DataSet): Generator<Trial> {
  const corpus = corpusOf(set.passages, set.language);
  for (const { text, passageId, article } of set.questions)
    yield { corpus, text, passageId, half: article % 2 };
}

/** The trials of each bot, whole bots in one half or the other. */
function* eachBot(
  bots: readonly BotDocuments[],
  trialsOf: (bot: BotDocuments) => Iterable<Trial>,
): Generator<Trial> {
  for (const [place, bot] of bots.entries())
    for (const trial of trialsOf(bot)) yield { ...trial, half: place % 2 };
}

/** What a trial leaves out is there again behind it, so that they are asked one by one. */
function* ofLanguages(languages: readonly (readonly BotDocuments[])[]): Generator<Trial> {
  for (const own of languages) yield* passageLeftOut(together(own));
}

function* wholeBot(bot: BotDocuments): Generator<Trial> {
  yield* passageLeftOut(bot);
  yield* messagesTo(bot, bot.unanswered);
}

const folder = dataFolder();
const whole = loadDataSet(folder, FAQ);
/** Each second question: enough, and half of the time. */
const faq = { ...whole, questions: whole.questions.filter((_, place) => place % 2 === 0) };
const chat = generalRequestsIn("en").filter((_, place) => place % 8 === 0);
const bots = unseenDocuments();
const english = bots.filter(({ language }) => language === "en");
const others = bots.filter(({ language }) => language !== "en");
const joined = [...Map.groupBy(others, ({ language }) => language).values()].filter(
  ({ length }) => length > 1,
);

console.log("the right passage first: documents in English, in other languages, of several bots; FAQ");
for (const weight of WEIGHTS) {
  const sets = [english, others, [together(english), ...joined.map(together)], [faq]];
  const shares: string[] = [];
  for (const trials of sets.map((own) => own.flatMap((set) => [...allOf(set)])))
    shares.push((100 * shareOf(await samplesOf(trials, weight), ({ isRight }) => isRight)).toFixed(1));
  console.log(`nearness ${weight}: ${shares.join(" ")}`);
}

const group = async (
  name: string,
  language: Group["language"],
  trials: Iterable<Trial>,
  weight = 1,
): Promise<Group> => ({ name, language, weight, samples: await samplesOf(trials) });

const groups = [
  await group("English: ten passages", "English", eachBot(english, wholeBot)),
  await group(
    "five passages",
    "English",
    eachBot(english, (bot) => tinyCorpora(bot, 5, 1)),
  ),
  await group(
    "anything else",
    "English",
    eachBot(english, (bot) => messagesTo(bot, bot.far)),
    0.6,
  ),
  await group("several bots", "English", passageLeftOut(together(english))),
  await group("others: ten passages", "others", eachBot(others, wholeBot)),
  await group(
    "five passages",
    "others",
    eachBot(others, (bot) => tinyCorpora(bot, 5, 1)),
  ),
  await group(
    "anything else",
    "others",
    eachBot(others, (bot) => messagesTo(bot, bot.far)),
    0.6,
  ),
  await group("several bots", "others", ofLanguages(joined)),
  await group("FAQ: items left out", "English", articlesLeftOut(faq)),
  await group("few items", "English", fewArticles(faq)),
  await group("twelve items", "English", tinyCorpora(faq, 12, 1)),
  await group("chat", "English", messagesTo(faq, chat)),
];

/** So that of each group as much can be answered as not. */
function weightOf({ weight, samples }: Group, { happened }: Sample): number {
  return weight / (2 * samples.filter((one) => one.happened === happened).length);
}

function fit(isUsed: (sample: Sample) => boolean): Record<(typeof NAMES)[number] | "constant", number> {
  const trials = groups.flatMap((own) =>
    own.samples.filter(isUsed).map((one) => ({
      inputs: Float64Array.from(NAMES, (name) => one.signals[name]),
      happened: one.happened,
      weight: weightOf(own, one),
    })),
  );
  const [rival, covered, nearness, constant] = fitLogistic(trials, new Float64Array(NAMES.length + 1), PULL);
  return { rival: rival!, covered: covered!, nearness: nearness!, constant: constant! };
}

const crossed = [1, 0].map((half) => fit((used) => used.half === half));
const byMeaning = ({ question, signals, half }: Sample) => confidenceOf(question, signals, crossed[half]!);

function print(name: string, samples: readonly Sample[]): void {
  const figures = [
    { chanceOf: ({ byWords }: Sample) => byWords, right: "wasRight" as const },
    { chanceOf: byMeaning, right: "isRight" as const },
  ].flatMap(({ chanceOf, right }) => {
    const answerable = samples.filter(({ happened }) => happened);
    const unanswerable = samples.filter(({ happened }) => !happened);
    const answered = answerable.filter((one) => chanceOf(one) >= 0.6);
    return [
      aurocOf(answerable.map(chanceOf), unanswerable.map(chanceOf)),
      answered.length / answerable.length,
      shareOf(answered, (one) => one[right]),
      shareOf(unanswerable, (one) => chanceOf(one) >= 0.6),
    ];
  });
  console.log(name.padEnd(24), figures.map((figure) => (100 * figure).toFixed(1).padStart(6)).join(" "));
}

console.log(`${"".padEnd(24)} AUROC, answered, right, falsely; by words, then by meaning`);
for (const { name, samples } of groups) print(name, samples);
for (const language of ["English", "others"] as const) {
  const own = groups.filter((one) => one.language === language);
  const chances = own.flatMap((one) =>
    one.samples.map((used) => ({
      chance: byMeaning(used),
      happened: used.happened,
      weight: weightOf(one, used),
    })),
  );
  print(
    language,
    own.flatMap(({ samples }) => samples),
  );
  console.log(`  calibration error ${calibrationError(chances).toFixed(3)}`);
}
for (const [name, value] of Object.entries(fit(() => true))) console.log(`  ${name}: ${value.toFixed(2)},`);
