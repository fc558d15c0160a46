import { unescape } from "node:querystring";

import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { ChatSource } from "../../domain/chat.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Decision, DeniedBy, KnowledgeReceipt } from "../../domain/decision.ts";
import type { EpochMs } from "../../domain/time.ts";
import { askedOfKnowledge } from "../../governance/ask-knowledge.ts";
import { decide, type KnowledgeFinding, type KnowledgeFindings } from "../../governance/decide.ts";
import { findDenyRule } from "../../governance/find-deny-rule.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";
import type { FoundPassage, KnowledgeAnswer } from "../../knowledge/answer.ts";
import { ANSWER_CONFIDENCE, MAY_HELP_CONFIDENCE } from "../../knowledge/confidence.ts";
import { type Passage, titleOf } from "../../knowledge/passage.ts";
import { givenDataIn } from "../../text/given-data.ts";
import { type Asking, type LookedUp, lookUpMessage, lookUpText } from "./look-up-knowledge.ts";
import { asksToPassOn, previousTurn } from "./previous-turn.ts";
import { readInstead } from "./read-instead.ts";
import { saidBefore } from "./said-before.ts";
import { withMeaning } from "./weigh-meaning.ts";

/** What documents say to a message, and what of it may be shown. */
export interface ConsultedKnowledge {
  /** As it stands in the documents; empty where nothing answers. */
  text: string;
  sources: readonly ChatSource[];
  /** The passages that answer, best first; none where nothing answers. */
  passages: readonly Passage[];
  /** What the passages are called, by id; for whoever explains a decision. */
  titles: ReadonlyMap<number, string>;
  /** Ids of the documents that would be shown. */
  documents: readonly string[];
  /** The passage that would be shown first; absent where none was found. */
  first?: FoundPassage;
  receipt: KnowledgeReceipt;
}

/** The bot that decides, and what it may ask what texts mean. */
export interface Deciding extends Asking {
  /** Told why that could not be asked. */
  onFailure: (error: unknown) => void;
}

/** How a message is decided. */
export interface DecidedTurn {
  decision: Decision;
  /** Absent where the bot's documents were not asked. */
  knowledge?: ConsultedKnowledge;
}

/**
 * Decides a judged message as the next turn after `turns`. Documents are asked only where the message neither asks for an intent nor is
 * denied, nor is a courtesy.
 */
export async function decideTurn(
  { bot, vectors, onFailure }: Deciding,
  judged: JudgedMessage,
  turns: readonly PastTurn[],
  at: EpochMs,
): Promise<DecidedTurn> {
  const instead = judged.social?.kind === "repair" ? readInstead(bot, turns, at) : undefined;
  const given = givenDataIn(judged.text);
  const input = {
    judged,
    policy: bot.policy,
    ...previousTurn(turns, at),
    ...(instead && { instead }),
    ...(given && { given }),
    ...(asksToPassOn(bot.policy.texts, turns) && { asksToPassOn: true as const }),
  };
  const decision = decide(input);
  if (!bot.knowledge.isThere() || judged.request === undefined) return { decision };
  const asked = askedOfKnowledge(decision, judged, bot.policy);
  if (asked === undefined) return { decision };
  const { found, meaning } = await withMeaning(vectors, onFailure, async (weighed): Promise<LookedUp> => {
    const asking = { bot, vectors: weighed };
    return asked === "whole"
      ? lookUpMessage(asking, judged, saidBefore(turns, at, bot.policy.social))
      : { answers: [await lookUpText(asking, asked.rest)], isFollowUp: false };
  });
  const shown = { ...found, answers: found.answers.map((answer) => withoutDeniedSources(bot, answer)) };
  const finding = findingOf(bot, shown.answers);
  const knowledge: KnowledgeFindings =
    finding === undefined ? {} : asked === "whole" ? { whole: finding } : { rest: finding };
  return { decision: decide({ ...input, knowledge }), knowledge: consultedOf(shown, meaning) };
}

/** Links whose titles or addresses hold what the profile denies are not offered. */
function withoutDeniedSources(bot: LoadedBot, answer: KnowledgeAnswer): KnowledgeAnswer {
  if (answer.kind !== "mayHelp" || bot.policy.mode === "observe") return answer;
  const sources = answer.sources.filter((source) => denyRuleIn(bot, shownOf(source)) === undefined);
  return sources.length > 0 ? { ...answer, sources } : { ...answer, kind: "none", sources };
}

function findingOf(bot: LoadedBot, answers: readonly KnowledgeAnswer[]): KnowledgeFinding | undefined {
  const [first] = answers;
  if (first === undefined || first.kind === "none") return undefined;
  const shown = answers.flatMap(({ text, sources }) => [text, ...sources.flatMap(shownOf)]);
  const deniedBy = denyRuleIn(bot, shown);
  const confidence = Math.min(...answers.map((answer) => answer.confidence));
  return { kind: first.kind, confidence, ...(deniedBy && { deniedBy }) };
}

/** What is read of a source: its title, and its address as it is written and as browsers show it. */
export function shownOf({ title, url }: ChatSource): string[] {
  return url === undefined ? [title] : [title, url, unescape(url)];
}

/** What is denied in messages is not shown either, nor told to a model. */
export function denyRuleIn(
  { policy, classifier }: LoadedBot,
  texts: readonly string[],
): DeniedBy | undefined {
  return policy.denyRules && findDenyRule(texts.join("\n"), [], policy.denyRules, classifier);
}

/** Passages that a receipt tells of. */
const MOST_IN_RECEIPT = 5;

/** Passages that a model is given, of all questions together. */
const MOST_IN_CONTEXT = 4;

function consultedOf(
  { answers, isFollowUp }: LookedUp,
  meaning: KnowledgeReceipt["meaning"],
): ConsultedKnowledge {
  const first = answers[0]?.passages[0];
  return {
    text: answers.map(({ text }) => text).join("\n\n"),
    sources: sourcesOf(answers),
    passages: answers.flatMap(({ kind, passages }) =>
      kind === "answer"
        ? passages.slice(0, MOST_IN_CONTEXT / answers.length).map(({ passage }) => passage)
        : [],
    ),
    titles: new Map(
      answers.flatMap(({ passages }) => passages.map(({ id, passage }) => [id, titleOf(passage)] as const)),
    ),
    documents: answers.flatMap(documentsShown),
    ...(first && { first }),
    receipt: {
      confidence: toThousandth(Math.min(...answers.map(({ confidence }) => confidence))),
      thresholds: { answer: ANSWER_CONFIDENCE, mayHelp: MAY_HELP_CONFIDENCE },
      passages: answers.flatMap(({ passages }) =>
        passages.slice(0, MOST_IN_RECEIPT).map(({ id, passage, score }) => ({
          id,
          document: passage.documentId,
          score: toThousandth(score),
        })),
      ),
      ...(isFollowUp && { isFollowUp }),
      ...(meaning && { meaning }),
    },
  };
}

/** Each place once. */
function sourcesOf(answers: readonly KnowledgeAnswer[]): ChatSource[] {
  const all = answers.flatMap(({ sources }) =>
    sources.map(({ title, url }) => ({ title, ...(url && { url }) })),
  );
  return [...new Map(all.map((source) => [source.url ?? source.title, source])).values()];
}

function documentsShown({ kind, passages, sources }: KnowledgeAnswer): string[] {
  const most = kind === "answer" ? 1 : sources.length;
  return [...new Set(passages.slice(0, most).map(({ passage }) => passage.documentId))];
}

function toThousandth(value: number): number {
  return Math.round(value * 1000) / 1000;
}
