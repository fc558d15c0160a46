import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import type { Vectors } from "../bots/vectors.ts";
import { weighDocuments } from "../chat/turn/weigh-candidates.ts";
import type { BotDocument } from "../domain/bot.ts";
import { KNOWLEDGE_INTENT } from "../domain/ids.ts";
import { chooseAnswer } from "../governance/choose-answer.ts";
import { joinableIntents } from "../governance/policy.ts";
import type { EncoderThread } from "../intent/classifier.ts";
import { linkOf, type Passage } from "../knowledge/passage.ts";
import { languageOfBot } from "../texts/bot-wording.ts";

/** A search result. */
export interface FoundPassage {
  /** Title of the document. */
  title: string;
  /** Address for visitors; null if the document has none. */
  url: string | null;
  /** The headings above it; empty if there are none. */
  heading: string;
  passage: string;
  /** Probability that it answers, 0–1. */
  score: number;
}

/** The result of a search in a bot's documents. The names are public interface. */
export interface KnowledgeSearch {
  query: string;
  /** Probability that the first passage answers, 0–1. */
  confidence: number;
  /** Whether a visitor would be answered from documents if no intent matched. */
  isAnswered: boolean;
  results: readonly FoundPassage[];
}

const MAX_RESULTS = 5;

/** A bot's documents with the encoder. */
export interface KnowledgeToSearch {
  knowledge: BotKnowledge;
  document: BotDocument;
  /** Encodes texts; absent: the search uses words only. */
  vectors?: Vectors;
  encoder?: Pick<EncoderThread, "encode">;
}

/** Searches for a query like a visitor's message, regardless of the bot's intents. */
export async function searchKnowledge(
  { knowledge, document, vectors, encoder }: KnowledgeToSearch,
  query: string,
): Promise<KnowledgeSearch> {
  const spoken = languageOfBot(document);
  const documents = { knowledge, language: document.language ?? spoken, spoken, vectors };
  const meaning = await encoder?.encode({ form: "message", text: query });
  const { weighed, texts } = await weighDocuments(documents, query, meaning);
  const least = document.classifier?.threshold;
  const choice = chooseAnswer(weighed, [], {
    ...(least !== undefined && { least }),
    isAllowed: () => true,
    mayJoin: () => joinableIntents(document).has(KNOWLEDGE_INTENT),
  });
  const passages = new Map(texts.passages.map(({ id, passage }) => [id, passage]));
  const results = weighed.candidates.slice(0, MAX_RESULTS).flatMap(({ target, chance }) => {
    const passage = target.kind === "passage" ? passages.get(target.passage) : undefined;
    return passage === undefined ? [] : [foundPassage(passage, chance)];
  });
  return { query, confidence: results[0]?.score ?? 0, isAnswered: choice.kind === "answer", results };
}

function foundPassage(passage: Passage, score: number): FoundPassage {
  return {
    title: passage.title,
    url: linkOf(passage) ?? null,
    heading: passage.headingPath.join(" › "),
    passage: passage.body,
    score,
  };
}
