import { readCandidate } from "./candidate.ts";
import { ANSWER_CONFIDENCE, confidenceOf, MAY_HELP_CONFIDENCE, signalsOf } from "./confidence.ts";
import { extractAnswer } from "./extract.ts";
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
  /** Best first; whatever the confidence. */
  passages: readonly FoundPassage[];
  /** What is shown of the first passage, as it stands in the document; empty where the kind is not `answer`. */
  text: string;
  /** What is shown with it: the passage's own, or up to three that may help; none where the kind is `none`. */
  sources: readonly Source[];
}

const NOTHING: KnowledgeAnswer = { kind: "none", confidence: 0, passages: [], text: "", sources: [] };

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

/**
 * Decides what is answered of the passages that were found. Pure.
 * @param passages by id; those that are gone meanwhile are left out.
 * @param language of the passages, as a BCP 47 tag.
 */
export function answerFrom(
  index: Pick<SearchIndex, "size">,
  { question, hits }: Lookup,
  passages: ReadonlyMap<number, Passage>,
  language: string,
): KnowledgeAnswer {
  const candidates = hits.flatMap((hit) => {
    const passage = passages.get(hit.id);
    return passage ? [readCandidate(question, passage, hit, language)] : [];
  });
  const ranked = rankCandidates(question, candidates);
  const [best] = ranked;
  if (best === undefined) return NOTHING;
  const confidence = confidenceOf(question, signalsOf(question, ranked, index));
  const kind = kindOf(confidence);
  return {
    kind,
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
  /** Puts a message in another language into words of the passages'. Absent: visitors speak the passages' language. */
  translate?: (message: string) => string;
}

/** Answers a message from documents: as it is, and, where that is not sure and it may be in another language, in their words. */
export async function answerFromKnowledge(parts: KnowledgeParts, message: string): Promise<KnowledgeAnswer> {
  const plain = await answerOnce(parts, message);
  const translated = parts.translate?.(message) ?? message;
  if (plain.kind === "answer" || translated === message) return plain;
  const other = await answerOnce(parts, translated);
  return other.confidence > plain.confidence ? other : plain;
}

async function answerOnce(
  { index, readPassages, language }: KnowledgeParts,
  message: string,
): Promise<KnowledgeAnswer> {
  const lookup = lookUp(index, message);
  if (lookup.hits.length === 0) return NOTHING;
  const passages = await readPassages(lookup.hits.map(({ id }) => id));
  return answerFrom(index, lookup, passages, language);
}
