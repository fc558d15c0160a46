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
import { measureScaleApart } from "./scale.ts";
import { ours, recipe, served, type System } from "./systems.ts";
import { articlesLeftOut, passageLeftOut } from "./trials.ts";

/** Languages in which a single passage is left out. */
const NEAR: ReadonlySet<string> = new Set(["en", "de", "ru", "tr"]);

interface Row {
  name: string;
  /** Absent: for information. */
  goal?: number;
  atMost?: true;
  unit: string;
  measured: number;
  /** Of the recipe, on the same questions. */
  before?: number;
}

function print({ name, goal, atMost, unit, measured, before }: Row): void {
  const figure = (value: number) => `${value.toFixed(unit === "ms" ? 2 : 1)} ${unit}`;
  const aim = goal === undefined ? "–" : `${atMost ? "≤" : "≥"} ${figure(goal)}`;
  const cells = [before === undefined ? "" : figure(before), aim, figure(measured)];
  const mark = goal === undefined ? " " : (atMost ? measured <= goal : measured >= goal) ? "✓" : "✗";
  console.log(`${mark} ${name.padEnd(58)} ${cells.map((cell) => cell.padStart(11)).join(" ")}`);
}

/** One set after the other, so that indexes of all are never in memory at a time. */
async function eachOf<T>(sets: readonly DataSet[], measure: (set: DataSet) => Promise<T>): Promise<T[]> {
  const measured: T[] = [];
  for (const set of sets) measured.push(await measure(set));
  return measured;
}

/** What servers do, and the recipe, by the same measure. */
async function both<T>(measure: (system: System) => Promise<T>): Promise<{ now: T; before: T }> {
  return { now: await measure(served), before: await measure(recipe) };
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

async function benchRetrieval(xquad: readonly DataSet[], english: DataSet, faq: DataSet): Promise<void> {
  const inEnglish = await both((system) => measureRetrieval(system, english));
  const inAll = await both(async (system) =>
    meanFigures(await eachOf(xquad, (set) => measureRetrieval(system, set))),
  );
  const inFaq = await both((system) => measureRetrieval(system, faq));
  percent("English: the right passage is first", 95, pick(inEnglish, "first"));
  percent("  among the first five", 99.3, pick(inEnglish, "amongFive"));
  percent("mean of 12 languages: first", 94, pick(inAll, "first"));
  percent("  among the first five", 99.2, pick(inAll, "amongFive"));
  percent("StackFAQ: first", 83, pick(inFaq, "first"));
  percent("  among the first five", 96.5, pick(inFaq, "amongFive"));
  percent("12 languages: the best sentence holds the answer", 78, pick(inAll, "bestSentence"));
  percent("  it or its neighbours", 88, pick(inAll, "withNeighbours"));
}

async function benchTelling(xquad: readonly DataSet[], faq: DataSet): Promise<void> {
  const tell = (system: System, set: DataSet) =>
    measureTelling(system, articlesLeftOut(set), ANSWER_CONFIDENCE);
  const articles = await both((system) => eachOf(xquad, (set) => tell(system, set)));
  const items = await both((system) => tell(system, faq));
  const near = await both(async (system) => {
    const sets = xquad.filter(({ language }) => NEAR.has(language));
    return meanFigures(
      await eachOf(sets, (set) => measureTelling(system, passageLeftOut(set), ANSWER_CONFIDENCE)),
    );
  });
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

async function benchTranslated(xquad: readonly DataSet[], english: DataSet): Promise<void> {
  const corpus = corpusOf(english.passages, "en");
  for (const language of ["de", "es"] as const) {
    const set = xquad.find((known) => known.language === language)!;
    const found = await both((system) =>
      measureRetrieval(system, set, corpus, (text) => glossText(text, language)),
    );
    percent(
      `questions in ${language} to English passages: among the first five`,
      75,
      pick(found, "amongFive"),
    );
  }
}

/** Each set as servers answer it beside words alone: what the encoder adds. */
async function benchMeaning(sets: readonly DataSet[]): Promise<void> {
  const line = (name: string, cells: readonly string[]) =>
    console.log(`  ${name.padEnd(12)} ${cells.map((cell) => cell.padStart(14)).join(" ")}`);
  console.log(
    "  words alone, servers: right passage first; AUROC; answered, of that from the right passage; falsely",
  );
  for (const set of sets) {
    const cells: string[] = [];
    const found = [await measureRetrieval(ours, set), await measureRetrieval(served, set)];
    const told = [
      await measureTelling(ours, articlesLeftOut(set), ANSWER_CONFIDENCE),
      await measureTelling(served, articlesLeftOut(set), ANSWER_CONFIDENCE),
    ];
    const pair = (values: readonly number[]) => values.map((value) => (100 * value).toFixed(1)).join(" → ");
    cells.push(pair(found.map(({ first }) => first)));
    for (const name of ["auroc", "answered", "right", "falsely"] as const)
      cells.push(pair(told.map((one) => one[name])));
    line(set.name, cells);
  }
}

async function benchScale(): Promise<void> {
  const { megabytesPerSecond, megabytes, p50Ms, p99Ms, buildSeconds } = await measureScaleApart();
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
await benchRetrieval(xquad, english, faq);
await benchTelling(xquad, faq);
await benchTranslated(xquad, english);
await benchMeaning([...xquad, faq]);
if (!process.argv.includes("--plain")) await benchScale();
