import { readCandidate } from "./candidate.ts";
import {
  ANSWER_CONFIDENCE,
  boundByTopic,
  BY_MEANING,
  BY_WORDS,
  confidenceOf,
  MAY_HELP_CONFIDENCE,
  type Signals,
  signalsOf,
} from "./confidence.ts";
import { extractAnswer } from "./extract.ts";
import { holdsEnglish } from "./holds-english.ts";
import { type Meanings, weighMeaning } from "./meaning.ts";
import { linkOf, type Passage, titleOf } from "./passage.ts";
import { type Question, readQuestion } from "./question.ts";
import { type Ranked, rankCandidates } from "./rank.ts";
import type { Hit, SearchIndex } from "./search-index.ts";

/** Passages that are read of those that a search finds. The right one is among the first ten in 99 % of questions (tune half of XQuAD). */
const MOST_READ = 12;
/** Links that are shown where none is sure. */
const MOST_SOURCES = 3;

/** Where a visitor reads on. */
export interface Source {
  title: string;
  /** Absent where the document has no address. */
  url?: string;
}

/** A passage that was found. */
export interface FoundPassage {
  id: number;
  passage: Passage;
  /** What ranks it; to be compared within one answer only. */
  score: number;
}

/** What the documents say to a message. */
export interface KnowledgeAnswer {
  /** Whether it is shown as the answer, as something that may help, or not at all. */
  kind: "answer" | "mayHelp" | "none";
  /** The chance that the first passage answers, 0 to 1. */
  confidence: number;
  /** What was looked up: the message, or, where it is in another language than the passages, what it says in theirs. */
  asked: string;
  /** Best first; whatever the confidence. */
  passages: readonly FoundPassage[];
  /** What is shown of the first passage, as it stands in the document; empty where the kind is not `answer`. */
  text: string;
  /** What is shown with it: the passage's own, or up to three that may help; none where the kind is `none`. */
  sources: readonly Source[];
}

/** Below, the meaning is looked at, which takes some 0.2 s where no sentence was encoded before; beyond, it hardly ever changes what is answered. */
const SURE = 0.9;

/** A message that was looked up; its passages are to be read. */
export interface Lookup {
  question: Question;
  hits: readonly Hit[];
}

/** Finds passages by their terms. Pure, and bounded in time by the size of the index, whatever the message. */
export function lookUp(index: SearchIndex, message: string): Lookup {
  const question = readQuestion(index, message);
  return { question, hits: index.search(question.terms, MOST_READ) };
}

/** Passages in the order in which they answer, and the chance that the first does. */
export interface Ranking {
  question: Question;
  ranked: readonly Ranked[];
  signals: Signals | undefined;
  confidence: number;
}

/**
 * Ranks the passages that were found. Pure.
 * @param passages by id; those that are gone meanwhile are left out.
 * @param language of the passages, as a BCP 47 tag.
 */
export function rankLookup(
  index: Pick<SearchIndex, "size">,
  { question, hits }: Lookup,
  passages: ReadonlyMap<number, Passage>,
  language: string,
): Ranking {
  const candidates = hits.flatMap((hit) => {
    const passage = passages.get(hit.id);
    return passage ? [readCandidate(question, passage, hit, language)] : [];
  });
  const ranked = rankCandidates(question, candidates);
  const signals = signalsOf(question, ranked, index);
  const confidence = confidenceOf(question, signals, BY_WORDS);
  return { question, ranked, signals, confidence: boundByTopic(confidence, question, ranked) };
}

/** The same, the meaning of the first passages considered. */
export async function reconsider(
  ranking: Ranking,
  index: Pick<SearchIndex, "size">,
  message: string,
  meanings: Meanings,
): Promise<Ranking> {
  const found = await weighMeaning(message, ranking.ranked, meanings);
  if (found === undefined) return ranking;
  const { question } = ranking;
  const { ranked, nearness } = found;
  const signals = signalsOf(question, ranked, index);
  const meant = signals && { rival: signals.rival, covered: signals.covered, nearness };
  const confidence = confidenceOf(question, meant, BY_MEANING);
  return { question, ranked, signals, confidence: boundByTopic(confidence, question, ranked) };
}

/** Whether the meaning is worth looking at: something was asked and found, and words are not sure. */
export function mayChange({ confidence }: Pick<Ranking, "confidence">): boolean {
  return confidence > 0 && confidence < SURE;
}

/** What is shown of a ranking. */
function present(asked: string, { question, ranked, confidence }: Ranking): KnowledgeAnswer {
  const [best] = ranked;
  if (best === undefined) return { kind: "none", asked, confidence: 0, passages: [], text: "", sources: [] };
  const kind = kindOf(confidence);
  return {
    kind,
    asked,
    confidence,
    passages: ranked.map(({ hit, passage, rank }) => ({ id: hit.id, passage, score: rank })),
    text: kind === "answer" ? extractAnswer(question, best) : "",
    sources: kind === "none" ? [] : sourcesOf(kind === "answer" ? [best] : ranked),
  };
}

function kindOf(confidence: number): KnowledgeAnswer["kind"] {
  if (confidence >= ANSWER_CONFIDENCE) return "answer";
  return confidence >= MAY_HELP_CONFIDENCE ? "mayHelp" : "none";
}

/** Each place once. */
function sourcesOf(ranked: readonly Ranked[]): Source[] {
  const sources = new Map<string, Source>();
  for (const { passage } of ranked) {
    const title = titleOf(passage);
    const url = linkOf(passage);
    const key = url ?? title;
    if (!sources.has(key)) sources.set(key, url === undefined ? { title } : { title, url });
    if (sources.size === MOST_SOURCES) break;
  }
  return [...sources.values()];
}

/** What answering needs of the world. */
export interface KnowledgeParts {
  index: SearchIndex;
  /** Reads passages where they are stored. */
  readPassages: (ids: readonly number[]) => Promise<ReadonlyMap<number, Passage>>;
  /** Of the passages, as a BCP 47 tag. */
  language: string;
  /** Puts a message in another language into English words; one in English stays as it is. Absent: messages are looked up as they are. */
  translate?: (message: string) => string;
  /** Says what messages and passages mean. Absent, or without a word of the message: words decide alone. */
  meanings?: Meanings;
}

/**
 * Answers a message from documents: by its words, or, where those are not sure and there are English documents, by what they say in English; and
 * by what it means, where that may change anything.
 */
export async function answerFromKnowledge(parts: KnowledgeParts, message: string): Promise<KnowledgeAnswer> {
  const { index, meanings } = parts;
  const { asked, ranking } = await rankByWords(parts, message);
  const isOpen = meanings !== undefined && mayChange(ranking);
  return present(asked, isOpen ? await reconsider(ranking, index, message, meanings) : ranking);
}

interface Asked {
  asked: string;
  ranking: Ranking;
}

/** As it is, or in English words: what finds more. */
async function rankByWords(parts: KnowledgeParts, message: string): Promise<Asked> {
  const plain = await rankOnce(parts, message);
  if (plain.confidence >= ANSWER_CONFIDENCE || parts.translate === undefined || !holdsEnglish(parts.index))
    return { asked: message, ranking: plain };
  const translated = parts.translate(message);
  if (translated === message) return { asked: message, ranking: plain };
  const other = await rankOnce(parts, translated);
  return other.confidence > plain.confidence
    ? { asked: translated, ranking: other }
    : { asked: message, ranking: plain };
}

async function rankOnce(
  { index, readPassages, language }: KnowledgeParts,
  message: string,
): Promise<Ranking> {
  const lookup = lookUp(index, message);
  const ids = lookup.hits.map(({ id }) => id);
  const passages = ids.length === 0 ? new Map<number, Passage>() : await readPassages(ids);
  return rankLookup(index, lookup, passages, language);
}
