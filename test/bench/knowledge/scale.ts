import {
  packTerms,
  type PackedTerms,
  termsOfPassage,
  TermsUnpacker,
} from "../../../src/knowledge/packed-terms.ts";
import { readQuestion } from "../../../src/knowledge/question.ts";
import { type IndexedPassage, SearchIndex } from "../../../src/knowledge/search-index.ts";
import { type DataSet, dataFolder, loadDataSet } from "./data-sets.ts";
import { quantileOf } from "./figures.ts";
import { syntheticPassages } from "./synthetic.ts";

const PASSAGES = 100_000;
const FOUND = 12;

export interface ScaleFigures {
  megabytesPerSecond: number;
  buildSeconds: number;
  megabytes: number;
  p50Ms: number;
  p99Ms: number;
}

/** Tokenises and indexes a hundred thousand passages, and asks them every question of the set. */
async function measureScale(set: DataSet): Promise<ScaleFigures> {
  const { packed, bytes, seconds } = tokenise(set);
  const before = await residentMegabytes();
  const start = performance.now();
  const index = SearchIndex.build({ [Symbol.iterator]: () => unpackAll(packed) });
  const buildSeconds = (performance.now() - start) / 1000;
  const megabytes = (await residentMegabytes()) - before;
  const times = [...ask(index, set), ...ask(index, set)].slice(set.questions.length);
  return {
    megabytesPerSecond: bytes / 1e6 / seconds,
    buildSeconds,
    megabytes,
    p50Ms: quantileOf(times, 0.5),
    p99Ms: quantileOf(times, 0.99),
  };
}

/** Passages as the store keeps them. */
interface PackedPassage {
  id: number;
  packed: Uint8Array;
}

function tokenise({ passages }: DataSet) {
  const packed: PackedPassage[] = [];
  let bytes = 0;
  let milliseconds = 0;
  for (const { id, title, body } of syntheticPassages(passages, PASSAGES)) {
    const start = performance.now();
    const terms: PackedTerms = termsOfPassage(title, body);
    packed.push({ id, packed: packTerms(terms) });
    milliseconds += performance.now() - start;
    bytes += Buffer.byteLength(title) + Buffer.byteLength(body);
  }
  return { packed, bytes, seconds: milliseconds / 1000 };
}

function* unpackAll(all: readonly PackedPassage[]): Generator<IndexedPassage> {
  const unpacker = new TermsUnpacker();
  for (const { id, packed } of all) yield { id, terms: unpacker.unpack(packed) };
}

function* ask(index: SearchIndex, { questions }: DataSet): Generator<number> {
  for (const { text } of questions) {
    const start = performance.now();
    index.search(readQuestion(index, text).terms, FOUND);
    yield performance.now() - start;
  }
}

/** Memory after unused pages were returned to the system. */
async function residentMegabytes(): Promise<number> {
  for (let round = 0; round < 6; round++) {
    Bun.gc(true);
    await Bun.sleep(300);
  }
  return process.memoryUsage.rss() / 1e6;
}

/** Runs in a process of its own, so that nothing else is in its memory. */
export async function measureScaleApart(): Promise<ScaleFigures> {
  return (await Bun.$`${process.execPath} ${import.meta.path}`.json()) as ScaleFigures;
}

if (import.meta.main) {
  console.log(JSON.stringify(await measureScale(loadDataSet(dataFolder(), "xquad-en"))));
}
