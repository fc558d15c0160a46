/**
 * `npm run bench:knowledge`: finds the passages of public data sets as servers do for a bot with documents only, and prints each figure
 * beside its goal and beside words alone. The goals were set for the half of the data that is held back; see docs/measurements.md.
 * The folder comes from PARLEY_KNOWLEDGE_DATA; it holds `xquad-<language>.jsonl` and `stackfaq-en.jsonl`, lines of
 * {"passage", "title", "text"} and {"question", "passage", "answer"}. `-- --plain` leaves out the measurement of scale, `--sets en,de` takes these
 * languages alone, `faq` among them, and `--every 3` each third question.
 */
import { parseArgs } from "node:util";

import { corpusOf } from "./corpus.ts";
import { type DataSet, dataFolder, loadDataSets } from "./data-sets.ts";
import { meanFigures, measureRetrieval, measureTelling } from "./measure.ts";
import { measureScaleApart } from "./scale.ts";
import { byWords, served, type System } from "./systems.ts";
import { articlesLeftOut, passageLeftOut } from "./trials.ts";

/** Languages in which a single passage is left out. */
const NEAR: ReadonlySet<string> = new Set(["en", "de", "ru", "tr"]);
/** Languages whose questions are asked to English passages, too. */
const ASKED_IN_ENGLISH: ReadonlySet<string> = new Set(["de", "es"]);

interface Row {
  name: string;
  /** Without a goal, the figure is for information only. */
  goal?: number;
  atMost?: true;
  unit: string;
  measured: number;
  /** By words alone, on the same questions. */
  plain?: number;
}

function print({ name, goal, atMost, unit, measured, plain }: Row): void {
  const figure = (value: number) => `${value.toFixed(unit === "ms" ? 2 : 1)} ${unit}`;
  const aim = goal === undefined ? "–" : `${atMost ? "≤" : "≥"} ${figure(goal)}`;
  const cells = [plain === undefined ? "" : figure(plain), aim, figure(measured)];
  const mark = goal === undefined ? " " : (atMost ? measured <= goal : measured >= goal) ? "✓" : "✗";
  console.log(`${mark} ${name.padEnd(58)} ${cells.map((cell) => cell.padStart(11)).join(" ")}`);
}

/** Runs the sets one after the other, so that only one set's indexes are in memory. */
async function eachOf<T>(sets: readonly DataSet[], measure: (set: DataSet) => Promise<T>): Promise<T[]> {
  const measured: T[] = [];
  for (const set of sets) measured.push(await measure(set));
  return measured;
}

interface Both<T> {
  now: T;
  plain: T;
}

/** Servers, and words alone, by the same measure. */
async function both<T>(measure: (system: System) => Promise<T>): Promise<Both<T>> {
  return { now: await measure(served), plain: await measure(byWords) };
}

function percent(name: string, goal: number | undefined, { now, plain }: Both<number>, atMost?: true): void {
  const row = { name, unit: "%", measured: 100 * now, plain: 100 * plain };
  print({ ...row, ...(goal !== undefined && { goal }), ...(atMost && { atMost }) });
}

/** One figure of both. */
function pick<T>({ now, plain }: Both<T>, name: keyof T): Both<number> {
  return { now: Number(now[name]), plain: Number(plain[name]) };
}

async function benchRetrieval(xquad: readonly DataSet[], faq: readonly DataSet[]): Promise<void> {
  for (const set of xquad) {
    const found = await both((system) => measureRetrieval(system, set));
    const isEnglish = set.language === "en";
    percent(`${set.name}: the right passage is first`, isEnglish ? 95 : undefined, pick(found, "first"));
    percent("  among the first five", isEnglish ? 99.3 : undefined, pick(found, "amongFive"));
    percent("  the best sentence holds the answer", 78, pick(found, "bestSentence"));
    percent("  it or its neighbours", 88, pick(found, "withNeighbours"));
  }
  for (const set of faq) {
    const found = await both((system) => measureRetrieval(system, set));
    percent("StackFAQ: first", 83, pick(found, "first"));
    percent("  among the first five", 96.5, pick(found, "amongFive"));
  }
}

async function benchTelling(sets: readonly DataSet[]): Promise<void> {
  const articles = await both((system) =>
    eachOf(sets, (set) => measureTelling(system, articlesLeftOut(set))),
  );
  sets.forEach((set, place) => {
    const told = { now: articles.now[place]!, plain: articles.plain[place]! };
    const goal = set.name.startsWith("xquad") ? 98 : 86;
    percent(`${set.name}, articles left out, told apart: AUROC`, goal, pick(told, "auroc"));
    percent("  answered of what can be", undefined, pick(told, "answered"));
    percent("  of that, from the right passage", undefined, pick(told, "right"));
    percent("  answered of what cannot be", undefined, pick(told, "falsely"), true);
  });
  const all = { now: meanFigures(articles.now), plain: meanFigures(articles.plain) };
  percent("all sets alike: answered of what can be", 88, pick(all, "answered"));
  percent("  of that, from the right passage", 97, pick(all, "right"));
  percent("  answered of what cannot be", 4, pick(all, "falsely"), true);
  const near = sets.filter(({ name, language }) => name.startsWith("xquad") && NEAR.has(language));
  if (near.length === 0) return;
  const told = await both(async (system) =>
    meanFigures(await eachOf(near, (set) => measureTelling(system, passageLeftOut(set)))),
  );
  percent("the paragraph left out, AUROC", 95, pick(told, "auroc"));
}

/** Questions in other languages, to English passages. */
async function benchForeign(xquad: readonly DataSet[], english: DataSet): Promise<void> {
  const corpus = corpusOf(english.passages, "en");
  for (const set of xquad.filter(({ language }) => ASKED_IN_ENGLISH.has(language))) {
    const found = await both((system) => measureRetrieval(system, set, corpus));
    percent(`questions in ${set.language} to English passages: first`, undefined, pick(found, "first"));
    percent("  among the first five", 75, pick(found, "amongFive"));
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

const { values: options } = parseArgs({
  options: { sets: { type: "string" }, every: { type: "string" }, plain: { type: "boolean" } },
});
const every = Number(options.every ?? 1);
const loaded = loadDataSets(dataFolder());
const chosen = options.sets?.split(",");
const asked = (sets: readonly DataSet[], nameOf: (set: DataSet) => string) =>
  sets
    .filter((set) => chosen === undefined || chosen.includes(nameOf(set)))
    .map((set) => ({ ...set, questions: set.questions.filter((_, place) => place % every === 0) }));
const xquad = asked(loaded.xquad, ({ language }) => language);
const faq = asked([loaded.faq], () => "faq");
console.log(
  `  ${"".padEnd(58)} ${["words alone", "goal", "measured"].map((head) => head.padStart(11)).join(" ")}`,
);
await benchRetrieval(xquad, faq);
await benchForeign(
  xquad,
  loaded.xquad.find(({ language }) => language === "en")!,
);
await benchTelling([...xquad, ...faq]);
if (!options.plain) await benchScale();
