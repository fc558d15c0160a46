import type { BotKnowledge } from "../../../src/bots/bot-knowledge.ts";
import { weighDocuments } from "../../../src/chat/turn/weigh-candidates.ts";
import { chooseAnswer } from "../../../src/governance/choose-answer.ts";
import { findBestSentence } from "../../../src/knowledge/extract.ts";
import { textLanguageOf } from "../../../src/text/language-of.ts";
import type { Corpus } from "./corpus.ts";
import { encodedMeanings } from "./encoding.ts";

/** A system's result for a question. */
export interface Finding {
  /** Ids of passages, best first. */
  ids: readonly number[];
  confidence: number;
  /** Whether a visitor is answered. */
  isAnswered: boolean;
  /** Sentences of the first passage, and the index of the best one. */
  sentences: readonly string[];
  best: number;
}

/** A way to find passages and to decide whether they answer. */
export interface System {
  name: string;
  find(corpus: Corpus, text: string): Promise<Finding>;
}

const NOTHING: Finding = { ids: [], confidence: 0, isAnswered: false, sentences: [], best: 0 };

const meanings = encodedMeanings();

/** By words alone, as servers do without an encoder. */
export const byWords: System = {
  name: "words alone",
  find: (corpus, text) => findIn(corpus, text, undefined),
};

/** As servers do. */
export const served: System = {
  name: "with meaning",
  find: async (corpus, text) => findIn(corpus, text, await meanings.ofMessage(text)),
};

async function findIn(corpus: Corpus, text: string, meaning: Float32Array | undefined): Promise<Finding> {
  const { language } = corpus;
  const spoken = textLanguageOf(language) ?? "en";
  const documents = { knowledge: knowledgeOf(corpus), language, spoken, vectors: meanings };
  const { weighed, texts } = await weighDocuments(documents, text, meaning);
  const [first] = weighed.candidates;
  if (first === undefined) return NOTHING;
  const choice = chooseAnswer(weighed, [], { isAllowed: () => true, mayJoin: () => true });
  const ids = weighed.candidates.flatMap(({ target }) => (target.kind === "passage" ? [target.passage] : []));
  const { candidate, sentences: nearest } = texts.passages.find(({ id }) => id === ids[0])!;
  const { body } = candidate.passage;
  const sentences = candidate.sentences.map(({ start, end }) => body.slice(start, end));
  return {
    ids,
    confidence: first.chance,
    isAnswered: choice.kind === "answer",
    sentences,
    best: nearest[0] ?? (sentences.length > 0 ? findBestSentence(texts.question, sentences) : 0),
  };
}

function knowledgeOf({ index, passages }: Corpus): BotKnowledge {
  return {
    isThere: () => true,
    open: async () => index,
    readPassages: async (ids) =>
      new Map(ids.flatMap((id) => (passages.has(id) ? [[id, passages.get(id)!] as const] : []))),
    refresh: async () => {},
  };
}
