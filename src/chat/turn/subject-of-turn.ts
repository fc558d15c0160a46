import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import type { Subject } from "../../domain/subject.ts";
import { saidBefore } from "../../governance/follow-up/said-before.ts";
import { contentWordsOf } from "../../text/content-words.ts";
import type { DecidedMessage } from "./decided-message.ts";

/** Words that are kept of a conversation's subject, the latest: a question has three or four. */
const MOST_WORDS = 12;

/** What an answered turn is about; undefined of courtesies, refusals, questions back and the default intent. */
export function subjectOfTurn({
  message: { bot, input },
  conversation,
  at,
  decision,
  knowledge,
}: Pick<DecidedMessage, "message" | "conversation" | "at" | "decision" | "knowledge">): Subject | undefined {
  if (decision.kind === "restricted" || decision.rule === "social" || decision.rule === "default-intent")
    return undefined;
  const isFromDocuments = decision.intent === KNOWLEDGE_INTENT;
  const isShown = isFromDocuments || decision.alsoIntents?.includes(KNOWLEDGE_INTENT);
  const passage = isShown ? knowledge?.first : undefined;
  const isFollowUp = decision.rule === "follow-up" || (isShown && knowledge?.receipt.isFollowUp);
  const before = isFollowUp ? saidBefore(conversation.turns, at, bot.policy.social) : undefined;
  const words = new Set([...(before?.subject?.words ?? []), ...contentWordsOf(input)]);
  const heading = passage && (passage.passage.headingPath.at(-1) ?? passage.passage.title);
  return {
    ...(!isFromDocuments && { intent: decision.intent }),
    ...(passage && { passage: { id: passage.id, document: passage.passage.documentId } }),
    name: (isFromDocuments ? heading : bot.policy.labels.get(decision.intent)) ?? decision.intent,
    words: [...words].slice(-MOST_WORDS),
  };
}
