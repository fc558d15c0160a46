import { glossText } from "../../../src/intent/gloss/gloss-text.ts";
/**
 * `npm run bench:knowledge`: finds the passages of public data sets, and prints what is measured beside its goal and beside the plain
 * recipe that the engine began with. The goals were set for the half of the data that is held back; see docs/measurements.md.
 * The folder comes from PARLEY_KNOWLEDGE_DATA; it holds `xquad-<language>.jsonl` and `stackfaq-en.jsonl`, lines of
 * {"passage", "title", "text"} and {"question", "passage", "answer"}. `-- --plain` leaves the measurement of scale out.
 */
import { ANSWER_CONFIDENCE } from "../../../src/knowledge/confidence.ts";
import { corpusOf } from "./corpus.ts";
import { type DataSet, dataFolder, loadDataSets } from "./data-sets.ts";
import { meanFigures, measureRetrieval, measureTelling } from "./measure.ts";
import { measureScale } from "./scale.ts";
import { ours, recipe, type System } from "./systems.ts";
import { articlesLeftOut, passageLeftOut } from "./trials.ts";

/** Languages in which a single passage is left out. */
const NEAR = ["en", "de", "ru", "tr"];

interface Row {
  name: string;
  goal: number;
  atMost?: true;
  unit: string;
  measured: number;
  /** Of the recipe, on the same questions. */
  before?: number;
}

function print({ name, goal, atMost, unit, measured, before }: Row): void {
  const isMet = atMost ? measured <= goal : measured >= goal;
  const figure = (value: number) => `${value.toFixed(unit === "ms" ? 2 : 1)} ${unit}`;
  const cells = [
    before === undefined ? "" : figure(before),
    `${atMost ? "≤" : "≥"} ${figure(goal)}`,
    figure(measured),
  ];
  console.log(`${isMet ? "✓" : "✗"} ${name.padEnd(58)} ${cells.map((cell) => cell.padStart(11)).join(" ")}`);
}

/** Both systems, by the same measure. */
function both<T>(measure: (system: System) => T): { now: T; before: T } {
  return { now: measure(ours), before: measure(recipe) };
}

function percent(
  name: string,
  goal: number,
  { now, before }: { now: number; before: number },
  atMost?: true,
): void {
  print({ name, goal, unit: "%", measured: 100 * now, before: 100 * before, ...(atMost && { atMost }) });
}

/** One figure of both. */
function pick<T>({ now, before }: { now: T; before: T }, name: keyof T): { now: number; before: number } {
  return { now: Number(now[name]), before: Number(before[name]) };
}

function benchRetrieval(xquad: readonly DataSet[], english: DataSet, faq: DataSet): void {
  const inEnglish = both((system) => measureRetrieval(system, english));
  const inAll = both((system) => meanFigures(xquad.map((set) => measureRetrieval(system, set))));
  const inFaq = both((system) => measureRetrieval(system, faq));
  percent("English: the right passage is first", 95, pick(inEnglish, "first"));
  percent("  among the first five", 99.3, pick(inEnglish, "amongFive"));
  percent("mean of 12 languages: first", 94, pick(inAll, "first"));
  percent("  among the first five", 99.2, pick(inAll, "amongFive"));
  percent("StackFAQ: first", 83, pick(inFaq, "first"));
  percent("  among the first five", 96.5, pick(inFaq, "amongFive"));
  percent("12 languages: the best sentence holds the answer", 78, pick(inAll, "bestSentence"));
  percent("  it or its neighbours", 88, pick(inAll, "withNeighbours"));
}

function benchTelling(xquad: readonly DataSet[], faq: DataSet): void {
  const tell = (system: System, set: DataSet) =>
    measureTelling(system, articlesLeftOut(set), ANSWER_CONFIDENCE);
  const articles = both((system) => xquad.map((set) => tell(system, set)));
  const items = both((system) => tell(system, faq));
  const near = both((system) =>
    meanFigures(
      xquad
        .filter(({ language }) => NEAR.includes(language))
        .map((set) => measureTelling(system, passageLeftOut(set), ANSWER_CONFIDENCE)),
    ),
  );
  const languages = { now: meanFigures(articles.now), before: meanFigures(articles.before) };
  const all = {
    now: meanFigures([...articles.now, items.now]),
    before: meanFigures([...articles.before, items.before]),
  };
  percent("told apart, AUROC: articles left out, 12 languages", 98, pick(languages, "auroc"));
  percent("  the paragraph left out, 4 languages", 95, pick(near, "auroc"));
  percent("  items of one FAQ left out", 86, pick(items, "auroc"));
  percent("all 13 sets alike: answered of what can be", 88, pick(all, "answered"));
  percent("  of that, from the right passage", 97, pick(all, "right"));
  percent("  answered of what cannot be", 4, pick(all, "falsely"), true);
}

function benchTranslated(xquad: readonly DataSet[], english: DataSet): void {
  const corpus = corpusOf(english.passages, "en");
  for (const language of ["de", "es"] as const) {
    const set = xquad.find((known) => known.language === language)!;
    const found = both((system) =>
      measureRetrieval(system, set, corpus, (text) => glossText(text, language)),
    );
    percent(
      `questions in ${language} to English passages: among the first five`,
      75,
      pick(found, "amongFive"),
    );
  }
}

async function benchScale(english: DataSet): Promise<void> {
  const { megabytesPerSecond, megabytes, p50Ms, p99Ms, buildSeconds } = await measureScale(english);
  print({ name: "100,000 passages: a query, p50", goal: 1.5, atMost: true, unit: "ms", measured: p50Ms });
  print({ name: "  p99", goal: 4, atMost: true, unit: "ms", measured: p99Ms });
  print({ name: "  memory", goal: 90, atMost: true, unit: "MB", measured: megabytes });
  print({ name: "  taken apart into terms", goal: 15, unit: "MB/s", measured: megabytesPerSecond });
  console.log(`  index made of stored terms in ${buildSeconds.toFixed(2)} s`);
}

const { xquad, faq } = loadDataSets(dataFolder());
const english = xquad.find(({ language }) => language === "en")!;
console.log(
  `  ${"".padEnd(58)} ${["recipe", "goal", "measured"].map((head) => head.padStart(11)).join(" ")}`,
);
benchRetrieval(xquad, english, faq);
benchTelling(xquad, faq);
benchTranslated(xquad, english);
if (!process.argv.includes("--plain")) await benchScale(english);
