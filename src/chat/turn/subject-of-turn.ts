import type { Permission } from "../../domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import type { Subject } from "../../domain/subject.ts";
import { LEANS } from "../../governance/follow-up/leaning.ts";
import { contentWordsOf } from "../../text/content-words.ts";
import type { DecidedMessage } from "./decided-message.ts";
import { saidBefore } from "./said-before.ts";

/** Words kept of a conversation's subject, the latest; a question has three or four. Chosen by hand. */
const MOST_WORDS = 12;

/** The facts of a turn that determine its subject. */
type DecidedTurn = Pick<
  DecidedMessage,
  "message" | "conversation" | "at" | "judged" | "decision" | "knowledge" | "standalone"
>;

/**
 * The subject of a turn: the answered intent or passage; for a message that depends on the turn before and was not understood, that turn's subject.
 * Undefined for courtesies, refusals, and unanswered messages with a subject of their own.
 */
export function subjectOfTurn(turn: DecidedTurn): Subject | undefined {
  const { decision, judged } = turn;
  if (decision.kind === "allowed") return subjectOfAnswer(turn, decision);
  if (decision.reason !== "no_intent_match" || (judged.inContext?.leans ?? 0) < LEANS) return undefined;
  const before = subjectBefore(turn);
  return before && { ...before, words: wordsAfter(before, turn) };
}

function subjectOfAnswer(turn: DecidedTurn, { intent, rule, alsoIntents }: Permission): Subject | undefined {
  if (rule === "social" || rule === "default-intent") return undefined;
  const { knowledge, message } = turn;
  const isFromDocuments = intent === KNOWLEDGE_INTENT;
  const isShown = isFromDocuments || alsoIntents?.includes(KNOWLEDGE_INTENT);
  const found = isShown ? knowledge?.first : undefined;
  const isFollowUp = rule === "follow-up" || (isShown && knowledge?.receipt.isFollowUp);
  const heading = found && (found.passage.headingPath.at(-1) ?? found.passage.title);
  return {
    ...(!isFromDocuments && { intent }),
    ...(found && { passage: { id: found.id, document: found.passage.documentId } }),
    name: (isFromDocuments ? heading : message.bot.policy.labels.get(intent)) ?? intent,
    words: wordsAfter(isFollowUp ? subjectBefore(turn) : undefined, turn),
  };
}

function subjectBefore({ conversation, at, message: { bot } }: DecidedTurn): Subject | undefined {
  return saidBefore(conversation.turns, at, bot.policy.social)?.subject;
}

function wordsAfter(
  before: Subject | undefined,
  { message: { input }, standalone = input }: DecidedTurn,
): string[] {
  return [...new Set([...(before?.words ?? []), ...contentWordsOf(standalone)])].slice(-MOST_WORDS);
}
