import { nearnessOf } from "../text/nearness.ts";
import { scoreGrams } from "./bm25.ts";
import { type Candidate, readCandidate } from "./candidate.ts";
import type { Passage } from "./passage.ts";
import { type Question, readQuestion } from "./question.ts";
import type { SearchIndex } from "./search-index.ts";

/** Passages that are read of those that words find, and of those that each reading is nearest to. The right one is nearly always among so many. */
const MOST_READ = 12;
/** Passages of which all are compared in meaning; of more, those that words find. */
export const MOST_COMPARED = 300;

/** Evidence by words that a text is the answer. */
export interface WordEvidence {
  /** Grams of the message that it has, those above all that others lack; 0 to about 1. */
  grams: number;
  /** Share of the message's words that it holds, function words aside, the rarer the more; 0 to 1. */
  coverage: number;
}

/** A passage with its evidence. */
export interface WeighedPassage extends WordEvidence {
  id: number;
  passage: Passage;
  /** To each reading, in their order; empty where meaning is not weighed. See `nearnessOf`. */
  nearness: readonly number[];
  /** The place of the sentence that is nearest to each reading; none where meaning is not weighed. */
  sentences: readonly number[];
  candidate: Candidate;
}

/** A message that was held against a bot's texts. */
export interface WeighedTexts {
  question: Question;
  passages: readonly WeighedPassage[];
  /** Of the other texts, in their order. */
  others: readonly WordEvidence[];
  /** Whether the message has words that none of these texts has, and beside them none but function words and numbers. */
  hasNewWordsAlone: boolean;
}

/** The vectors of a passage, to compare with a message's. */
export interface PassageMeaning {
  /** Cosines to a reading of a message: of the heading and windows of the body, and of each sentence (none where it has but one). */
  cosinesTo(reading: Float32Array): { whole: number[]; sentences: number[] };
}

/** The external parts that weighing uses. */
export interface WeighingParts {
  index: SearchIndex;
  /** Reads passages where they are stored; those that are gone are left out. */
  readPassages: (ids: readonly number[]) => Promise<ReadonlyMap<number, Passage>>;
  /** Of the passages, as a BCP 47 tag. */
  language: string;
  /** Vectors of passages by id; deleted ones are left out. Absent: meaning is not compared. */
  meaningsOf?: (ids: readonly number[]) => Promise<ReadonlyMap<number, PassageMeaning>>;
}

/** A text that is compared like a passage: the label and answer of an intent. */
export type OtherText = Pick<Passage, "title" | "body">;

/**
 * Holds a message against passages, and against other texts of the bot.
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
  const hits = index.search(question.terms, MOST_READ).map(({ id }) => id);
  const compared = index.size <= MOST_COMPARED ? index.ids() : hits;
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

/** A passage beside each reading. */
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

/** Those that words find, best first, and behind them those that a reading is nearest to. */
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
    for (const [id] of nearest.slice(0, MOST_READ)) ids.add(id);
  }
  return ids;
}

/** From this likeness on a text has a word: in another form, or in a compound. */
const HELD = 0.5;

function hasNewWordsAlone({ units }: Question, texts: readonly Candidate[]): boolean {
  const places = units.flatMap(({ isContent, isWord, isNumber }, place) =>
    isContent && isWord && !isNumber ? [place] : [],
  );
  const likeness = (place: number) => Math.max(...texts.map(({ unitCoverage }) => unitCoverage[place]!));
  return places.length > 0 && places.every((place) => likeness(place) < HELD);
}

/** The share of the question's words that a text has, function words aside. */
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
