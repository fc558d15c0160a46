import { cosineOf, nearnessOf } from "../text/nearness.ts";
import { type Candidate, readCandidate } from "./candidate.ts";
import { textsOfPassage } from "./passage-texts.ts";
import type { Passage } from "./passage.ts";
import { type Question, readQuestion } from "./question.ts";
import { rankCandidates } from "./rank.ts";
import type { Hit, SearchIndex } from "./search-index.ts";

/** Passages that are read of those that words find, and of those that each reading is nearest to. The right one is nearly always among so many. */
const MOST_READ = 12;
/** Passages of which all are compared in meaning; of more, those that words find. */
const MOST_COMPARED = 300;

/** What speaks for a text as an answer, by its words. */
export interface WordEvidence {
  /** Grams of the message that it has, those above all that others lack; 0 to about 1. */
  grams: number;
  /** Share of the message's words that it holds, function words aside, the rarer the more; 0 to 1. */
  coverage: number;
}

/** A passage that may answer, and what speaks for it. */
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

/** What weighing needs of the world. */
export interface WeighingParts {
  index: SearchIndex;
  /** Reads passages where they are stored; those that are gone are left out. */
  readPassages: (ids: readonly number[]) => Promise<ReadonlyMap<number, Passage>>;
  /** Of the passages, as a BCP 47 tag. */
  language: string;
  /** What a text of the passage with that id means; undefined where it is blank. Absent: meaning is not weighed. */
  meaningOf?: (text: string, id: number) => Promise<Float32Array | undefined>;
}

/** A text that is no passage, held against a message as if it were one: what an intent answers, under its label. */
export type OtherText = Pick<Passage, "title" | "body">;

/**
 * Holds a message against passages, and against other texts of the bot.
 * @param readings what the message means, in each of its readings.
 */
export async function weighTexts(
  parts: WeighingParts,
  message: string,
  readings: readonly Float32Array[],
  others: readonly OtherText[],
): Promise<WeighedTexts> {
  const { index, language } = parts;
  const question = readQuestion(index, message);
  const hits = new Map(index.search(question.terms, MOST_READ).map((hit) => [hit.id, hit]));
  const isCompared = parts.meaningOf !== undefined && readings.length > 0;
  const ids = isCompared && index.size <= MOST_COMPARED ? index.ids() : [...hits.keys()];
  const passages = ids.length === 0 ? new Map<number, Passage>() : await parts.readPassages(ids);
  const nearness = isCompared
    ? await compare(passages, readings, parts as Required<WeighingParts>)
    : new Map<number, Compared>();
  const candidates = chosen(passages, hits, nearness, readings.length).map(([id, passage]) =>
    readCandidate(question, passage, hits.get(id) ?? noHit(id), language),
  );
  const readOthers = others.map((text) =>
    readCandidate(question, { ...text, documentId: "", headingPath: [] }, noHit(0), language),
  );
  return {
    question,
    passages: rankCandidates(question, candidates).map((ranked) => ({
      id: ranked.hit.id,
      passage: ranked.passage,
      nearness: nearness.get(ranked.hit.id)?.nearness ?? [],
      sentences: nearness.get(ranked.hit.id)?.sentences ?? [],
      grams: ranked.gramScore,
      coverage: coverageOf(question, ranked),
      candidate: ranked,
    })),
    others: readOthers.map((read) => ({ grams: 0, coverage: coverageOf(question, read) })),
    hasNewWordsAlone: hasNewWordsAlone(question, [...candidates, ...readOthers]),
  };
}

function noHit(id: number): Hit {
  return { id, score: 0, titleScore: 0 };
}

/** A passage beside each reading. */
type Compared = Pick<WeighedPassage, "nearness" | "sentences">;

async function compare(
  passages: ReadonlyMap<number, Passage>,
  readings: readonly Float32Array[],
  { meaningOf, language }: Pick<Required<WeighingParts>, "meaningOf" | "language">,
): Promise<Map<number, Compared>> {
  const found = new Map<number, Compared>();
  for (const [id, passage] of passages) {
    const { whole, sentences } = textsOfPassage(passage, language);
    const [ofWhole, ofSentences] = await Promise.all([
      encodeAll(whole, id, meaningOf),
      encodeAll(sentences, id, meaningOf),
    ]);
    const compared = readings.map((reading) => {
      const cosines = ofWhole.map((vector) => cosineOf(reading, vector));
      // A passage of one sentence is that sentence.
      const ofEach =
        ofSentences.length === 0 ? [cosines.at(-1)!] : ofSentences.map((vector) => cosineOf(reading, vector));
      const nearest = Math.max(...ofEach);
      return { nearness: nearnessOf([...cosines, nearest]), sentence: ofEach.indexOf(nearest) };
    });
    found.set(id, {
      nearness: compared.map((one) => one.nearness),
      sentences: compared.map((one) => one.sentence),
    });
  }
  return found;
}

async function encodeAll(
  texts: readonly string[],
  id: number,
  meaningOf: Required<WeighingParts>["meaningOf"],
): Promise<Float32Array[]> {
  const vectors = await Promise.all(texts.map((text) => meaningOf(text, id)));
  return vectors.filter((vector) => vector !== undefined);
}

/** Those that words find, and those that a reading is nearest to. */
function chosen(
  passages: ReadonlyMap<number, Passage>,
  hits: ReadonlyMap<number, Hit>,
  nearness: ReadonlyMap<number, Compared>,
  readings: number,
): [number, Passage][] {
  const ids = new Set(hits.keys());
  for (let reading = 0; reading < readings; reading++) {
    const nearest = [...nearness].toSorted(
      ([, left], [, right]) => right.nearness[reading]! - left.nearness[reading]!,
    );
    for (const [id] of nearest.slice(0, MOST_READ)) ids.add(id);
  }
  return [...passages].filter(([id]) => ids.has(id));
}

/** From this likeness on a text has a word: in another form, or in a compound. */
const HELD = 0.5;

function hasNewWordsAlone({ units }: Question, texts: readonly Candidate[]): boolean {
  const places = units.flatMap(({ isContent, isWord, isNumber }, place) =>
    isContent && isWord && !isNumber ? [place] : [],
  );
  const likeness = (place: number) =>
    Math.max(
      ...texts.map(({ unitCoverage, titleUnitCoverage }) =>
        Math.max(unitCoverage[place]!, titleUnitCoverage[place]!),
      ),
    );
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
