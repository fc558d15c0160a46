import { nearnessOf } from "../text/nearness.ts";
import { scoreGrams } from "./bm25.ts";
import { type Candidate, readCandidate } from "./candidate.ts";
import type { Passage } from "./passage.ts";
import { type Question, readQuestion } from "./question.ts";
import type { SearchIndex } from "./search-index.ts";

/** Passages that are read of those found by words, and of those nearest to each reading. The right one is nearly always among them. */
const MAX_READ = 12;
/** Up to so many passages, meaning is compared with all of them; beyond, with those found by words. */
export const MAX_COMPARED = 300;

/** Evidence by words that a text is the answer. */
export interface WordEvidence {
  /** Weighted share of the message's grams that it contains, those that other texts lack above all; 0 to about 1. */
  grams: number;
  /** Weighted share of the message's content words that it contains, rarer ones weighing more; 0 to 1. */
  coverage: number;
}

/** A passage with its evidence. */
export interface WeighedPassage extends WordEvidence {
  id: number;
  passage: Passage;
  /** Similarity to each reading, in their order; empty if meaning is not compared. See `nearnessOf`. */
  nearness: readonly number[];
  /** Index of the sentence that is nearest to each reading; empty if meaning is not compared. */
  sentences: readonly number[];
  candidate: Candidate;
}

/** A message compared with a bot's texts. */
export interface WeighedTexts {
  question: Question;
  passages: readonly WeighedPassage[];
  /** For the other texts, in their order. */
  others: readonly WordEvidence[];
  /** Whether the message has words that are in none of these texts, and otherwise only function words and numbers. */
  hasNewWordsAlone: boolean;
}

/** The vectors of a passage, to compare with a message's. */
export interface PassageMeaning {
  /** Cosines to a reading of a message: for the heading and windows of the body, and for each sentence (none if it has only one). */
  cosinesTo(reading: Float32Array): { whole: number[]; sentences: number[] };
}

/** The external parts that weighing uses. */
export interface WeighingParts {
  index: SearchIndex;
  /** Reads stored passages; deleted ones are left out. */
  readPassages: (ids: readonly number[]) => Promise<ReadonlyMap<number, Passage>>;
  /** Language of the passages, a BCP 47 tag. */
  language: string;
  /** Vectors of passages by id; deleted ones are left out. Absent: meaning is not compared. */
  meaningsOf?: (ids: readonly number[]) => Promise<ReadonlyMap<number, PassageMeaning>>;
}

/** A text that is compared like a passage: the label and answer of an intent. */
export type OtherText = Pick<Passage, "title" | "body">;

/**
 * Compares a message with passages, and with other texts of the bot.
 * @param readings meaning of each reading of the message.
 */
export async function weighTexts(
  parts: WeighingParts,
  message: string,
  readings: readonly Float32Array[],
  others: readonly OtherText[],
): Promise<WeighedTexts> {
  const { index, language, meaningsOf } = parts;
  const question = readQuestion(index, message);
  const hits = index.search(question.terms, MAX_READ).map(({ id }) => id);
  const compared = index.size <= MAX_COMPARED ? index.ids() : hits;
  const isCompared = meaningsOf !== undefined && readings.length > 0 && compared.length > 0;
  const nearness = isCompared ? compare(await meaningsOf(compared), readings) : new Map<number, Compared>();
  const ids = [...chosen(hits, nearness, readings.length)];
  const passages = ids.length === 0 ? new Map<number, Passage>() : await parts.readPassages(ids);
  const read = ids.flatMap((id) => {
    const passage = passages.get(id);
    return passage ? [{ id, candidate: readCandidate(question, passage, language) }] : [];
  });
  const grams = scoreGrams(
    question.grams.size,
    read.map(({ candidate }) => candidate),
  );
  const readOthers = others.map((text) =>
    readCandidate(question, { ...text, documentId: "", headingPath: [] }, language),
  );
  return {
    question,
    passages: read.map(({ id, candidate }, i) => ({
      id,
      passage: candidate.passage,
      nearness: nearness.get(id)?.nearness ?? [],
      sentences: nearness.get(id)?.sentences ?? [],
      grams: grams[i]!,
      coverage: coverageOf(question, candidate),
      candidate,
    })),
    others: readOthers.map((other) => ({ grams: 0, coverage: coverageOf(question, other) })),
    hasNewWordsAlone: hasNewWordsAlone(question, [...read.map(({ candidate }) => candidate), ...readOthers]),
  };
}

/** Similarity of a passage to each reading. */
type Compared = Pick<WeighedPassage, "nearness" | "sentences">;

function compare(
  meanings: ReadonlyMap<number, PassageMeaning>,
  readings: readonly Float32Array[],
): Map<number, Compared> {
  const found = new Map<number, Compared>();
  for (const [id, meaning] of meanings) {
    const compared = readings.map((reading) => {
      const { whole, sentences } = meaning.cosinesTo(reading);
      // A passage of one sentence is that sentence.
      const ofEach = sentences.length === 0 ? [whole.at(-1)!] : sentences;
      const nearest = Math.max(...ofEach);
      return { nearness: nearnessOf([...whole, nearest]), sentence: ofEach.indexOf(nearest) };
    });
    found.set(id, {
      nearness: compared.map((one) => one.nearness),
      sentences: compared.map((one) => one.sentence),
    });
  }
  return found;
}

/** Passages found by words, best first, followed by those nearest to a reading. */
function chosen(
  hits: readonly number[],
  nearness: ReadonlyMap<number, Compared>,
  readings: number,
): ReadonlySet<number> {
  const ids = new Set(hits);
  for (let reading = 0; reading < readings; reading++) {
    const nearest = [...nearness].toSorted(
      ([, left], [, right]) => right.nearness[reading]! - left.nearness[reading]!,
    );
    for (const [id] of nearest.slice(0, MAX_READ)) ids.add(id);
  }
  return ids;
}

/** Minimum similarity at which a text contains a word: in another form, or in a compound. Chosen by hand. */
const HELD = 0.5;

function hasNewWordsAlone({ units }: Question, texts: readonly Candidate[]): boolean {
  const places = units.flatMap(({ isContent, isWord, isNumber }, place) =>
    isContent && isWord && !isNumber ? [place] : [],
  );
  const likeness = (place: number) => Math.max(...texts.map(({ unitCoverage }) => unitCoverage[place]!));
  return places.length > 0 && places.every((place) => likeness(place) < HELD);
}

/** Share of the question's content words that a text contains. */
function coverageOf({ units }: Question, { unitCoverage }: Pick<Candidate, "unitCoverage">): number {
  let covered = 0;
  let total = 0;
  units.forEach(({ isContent, weight }, place) => {
    if (!isContent) return;
    total += weight;
    covered += weight * unitCoverage[place]!;
  });
  return total === 0 ? 0 : covered / total;
}
