import { unseenEpisodes, unseenLines } from "../intent/episodes.ts";
import type { DataSet, KnownPassage, KnownQuestion } from "./data-sets.ts";

/** A line of `episodes/documents/*.jsonl`. Targets are `passage:<number>`, `intent:<name>`, or null where nothing of the bot's answers. */
interface DocumentsLine {
  bot: string;
  language: string;
  passages: { title: string; heading: string; text: string }[];
  questions: { text: string; target: string | null }[];
  followups: { say: string; target: string | null; needs: boolean }[];
}

/** The documents of a bot that the encoder was not trained on; each of some ten passages counts as an article. */
export interface BotDocuments extends DataSet {
  /** Questions that none of the documents answers: some an intent does, others nothing. */
  unanswered: readonly string[];
  /** Messages about anything else. */
  far: readonly string[];
}

/** Of the episodes' bots, those that the encoder has not seen. @throws Error where one is missing */
export function unseenDocuments(): BotDocuments[] {
  const episodes = unseenEpisodes();
  return unseenLines<DocumentsLine>("episodes/documents").map((line) => {
    const { messages } = episodes.find(({ name }) => name === line.bot)!;
    return asDataSet(
      line,
      messages.filter(({ origin }) => origin === "far").map(({ text }) => text),
    );
  });
}

function asDataSet(
  { bot, language, passages, questions, followups }: DocumentsLine,
  far: readonly string[],
): BotDocuments {
  const standingAlone = followups
    .filter(({ needs }) => !needs)
    .map(({ say, target }) => ({ text: say, target }));
  const asked = [...questions, ...standingAlone].map(({ text, target }) => ({
    text,
    passageId: target?.startsWith("passage:") ? Number(target.slice("passage:".length)) : undefined,
  }));
  return {
    name: bot,
    language,
    passages: passages.map(({ title, heading, text }, id) => ({
      id,
      article: id,
      passage: { documentId: title, title, headingPath: [heading], body: text },
    })),
    questions: asked.flatMap(({ text, passageId }) =>
      passageId === undefined ? [] : [{ text, passageId, article: passageId }],
    ),
    unanswered: asked.filter(({ passageId }) => passageId === undefined).map(({ text }) => text),
    far,
  };
}

/** The documents of several bots of one language as those of one, each bot's an article. */
export function together(bots: readonly BotDocuments[]): DataSet {
  const joined: { passages: KnownPassage[]; questions: KnownQuestion[] } = { passages: [], questions: [] };
  for (const [article, { name, passages, questions }] of bots.entries()) {
    const before = joined.passages.length;
    for (const { id, passage } of passages) {
      const documentId = `${name}: ${passage.documentId}`;
      joined.passages.push({ id: before + id, article, passage: { ...passage, documentId } });
    }
    for (const { text, passageId } of questions)
      joined.questions.push({ text, passageId: before + passageId, article });
  }
  return { name: bots.map(({ name }) => name).join(", "), language: bots[0]!.language, ...joined };
}
