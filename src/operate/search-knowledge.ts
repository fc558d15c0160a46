import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import { knowledgeReading } from "../bots/knowledge-reading.ts";
import type { Vectors } from "../bots/vectors.ts";
import type { BotDocument } from "../domain/bot.ts";
import { answerFromKnowledge } from "../knowledge/answer.ts";
import { linkOf } from "../knowledge/passage.ts";
import { languageOfBot } from "../texts/bot-language.ts";

/** A passage that was found. */
export interface FoundPassage {
  /** Of the document. */
  title: string;
  /** Where a visitor reads on; null where the document has no address. */
  url: string | null;
  /** The headings that it stands under; empty where there are none. */
  heading: string;
  passage: string;
  /** What ranks it; to be compared within one query only. */
  score: number;
}

/** What a bot's documents say to a query. Its names are public surface. */
export interface KnowledgeSearch {
  query: string;
  /** The chance that the first passage answers, 0–1. */
  confidence: number;
  results: readonly FoundPassage[];
}

const MOST_RESULTS = 5;

/** A bot's documents, and who says what texts mean. */
export interface KnowledgeToSearch {
  knowledge: BotKnowledge;
  document: BotDocument;
  vectors: Vectors;
}

/** Looks a query up as a message is looked up, whatever the bot's intents are. */
export async function searchKnowledge(
  { knowledge, document, vectors }: KnowledgeToSearch,
  query: string,
): Promise<KnowledgeSearch> {
  const spoken = languageOfBot(document);
  const { confidence, passages } = await answerFromKnowledge(
    {
      index: await knowledge.open(),
      readPassages: (ids) => knowledge.readPassages(ids),
      language: document.language ?? spoken,
      ...knowledgeReading(spoken, vectors, []),
    },
    query,
  );
  return {
    query,
    confidence,
    results: passages.slice(0, MOST_RESULTS).map(({ passage, score }) => ({
      title: passage.title,
      url: linkOf(passage) ?? null,
      heading: passage.headingPath.join(" › "),
      passage: passage.body,
      score,
    })),
  };
}
