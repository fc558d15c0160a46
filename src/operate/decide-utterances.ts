import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import type { Judge } from "../bots/judging-thread.ts";
import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { Understand } from "../bots/understanding.ts";
import type { Vectors } from "../bots/vectors.ts";
import { subjectOfTurn } from "../chat/turn/compose-turn.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { PastTurn } from "../domain/conversation.ts";
import { type DecisionRule, isMatch, type RestrictionReason } from "../domain/decision.ts";
import { type ConversationId, type IntentName, KNOWLEDGE_INTENT, type RequestId } from "../domain/ids.ts";
import type { Standing } from "../domain/intent-pattern.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import { type JudgedMessage, readingsOf } from "../governance/judged-message.ts";
import type { GovernancePolicy } from "../governance/policy.ts";
import type { TrainedModel } from "../store/interface/bots.ts";
import { type DecidedAgain, decideAgain } from "./decide-again.ts";
import { draftBot } from "./draft-bots.ts";
import type { LabelledUtterance, Prediction } from "./evaluate.ts";
import type { Slices } from "./long-work.ts";
import { withoutModels } from "./without-models.ts";

/** Result of a message: answered, or the reason for the restriction. */
export type DecisionName = "allowed" | RestrictionReason;

/** A text with its expected intent and decision. */
export interface TestUtterance extends LabelledUtterance {
  /** The visitor's earlier messages, oldest first; absent for the first message of a conversation. */
  after?: readonly string[];
  /** Absent: derived from intent and capability profile. */
  decision?: DecisionName;
}

/** The bot's decision about an utterance. */
export interface DecidedUtterance extends Prediction {
  expectedDecision: DecisionName;
  gotDecision: DecisionName;
  /** The intent of the decision; null: none. */
  decidedIntent: string | null;
  /** The intents of a clarifying question, if nothing matched. */
  suggestions: readonly string[];
  rule: DecisionRule;
  /** Probability (0–1) that the deciding intent is asked for; without one, that of the best intent. */
  chance: number;
}

const DECISION_OF: Record<Standing, DecisionName> = {
  allowed: "allowed",
  denied: "DENY_LIST",
  unlisted: "NOT_IN_ALLOW_LIST",
};

/** The parts that deciding uses besides the bot. */
export interface DecidingUtterances {
  understand: Understand;
  /** Encodes texts, if the bot has documents. */
  vectors: Vectors;
  /** Set if visitors share this thread; absent in a command. */
  slices?: Slices;
}

/** A bot as visitors meet it, with its documents; it enforces its profile and asks no models. @param trained its model. */
export function botToDecide(
  document: BotDocument,
  trained: TrainedModel,
  knowledge: BotKnowledge,
): LoadedBot {
  const { capabilityProfile, ...bot } = withoutModels(document);
  const enforced = capabilityProfile && { ...capabilityProfile, mode: "enforce" as const };
  return draftBot({ ...bot, ...(enforced && { capabilityProfile: enforced }) }, 0, trained, knowledge);
}

/** Decides each utterance like a server's turn, with documents: as the first message of a conversation, or after its earlier messages. */
export async function decideUtterances(
  bot: LoadedBot,
  utterances: readonly TestUtterance[],
  parts: DecidingUtterances,
): Promise<DecidedUtterance[]> {
  const decided: DecidedUtterance[] = [];
  for (const utterance of utterances) {
    const turns: PastTurn[] = [];
    for (const said of utterance.after ?? [])
      turns.push(pastOf(bot, said, turns, await decideNext(bot, said, turns, parts)));
    decided.push(decidedAs(utterance, await decideNext(bot, utterance.text, turns, parts), bot.policy));
    await parts.slices?.pause();
  }
  return decided;
}

/** All turns of an utterance have the same instant. */
const AT = 0;

async function decideNext(
  bot: LoadedBot,
  text: string,
  turns: readonly PastTurn[],
  { understand, vectors }: DecidingUtterances,
): Promise<DecidedAgain> {
  const message = {
    text,
    conversation: { turns },
    at: AT,
    isUnderstood: true,
    isMeaningWeighed: true,
  };
  const judge: Judge = (judging, said) => judgeMessage(said, judging.classifier, judging.policy);
  return decideAgain(bot, message, { judge, understand, vectors });
}

function pastOf(bot: LoadedBot, input: string, turns: readonly PastTurn[], decided: DecidedAgain): PastTurn {
  const { decision } = decided;
  const requestId = "" as RequestId;
  const conversation = { id: "" as ConversationId, turns };
  const subject = subjectOfTurn({ ...decided, message: { bot, requestId, input }, conversation, at: AT });
  return {
    requestId,
    at: AT,
    state: "complete",
    input,
    response: "",
    capabilityAllowed: decision.kind === "allowed",
    ...(decision.intent !== undefined && { intent: decision.intent }),
    ...(subject && { subject }),
    ...(decision.kind === "restricted" && { suggestions: decision.suggestions }),
  };
}

function decidedAs(
  { text, intent, decision }: TestUtterance,
  { judged, decision: made, candidates = [] }: DecidedAgain,
  policy: GovernancePolicy,
): DecidedUtterance {
  const { classification } = judged.plain;
  const { scores, inScope, confidence } = classification;
  const candidate = candidates.find((one) => (one.intent ?? KNOWLEDGE_INTENT) === made.intent);
  return {
    text,
    expected: intent,
    got: scores[0]?.intent ?? null,
    inScope,
    confidence,
    isAccepted: isMatch(classification, policy.thresholds.match),
    expectedDecision: decision ?? decisionFor(intent, policy),
    gotDecision: made.kind === "allowed" ? "allowed" : made.reason,
    decidedIntent: made.intent ?? null,
    suggestions: made.kind === "restricted" ? made.suggestions.map(({ intent: offered }) => offered) : [],
    rule: made.rule,
    chance: candidate?.chance ?? chanceOf(made.intent, judged),
  };
}

/** The highest probability of an intent in any reading or part of the message. */
function chanceOf(intent: IntentName | undefined, judged: JudgedMessage): number {
  const { plain, clearestClause } = judged;
  if (intent === undefined) return plain.classification.confidence;
  const scores = [clearestClause, ...readingsOf(judged).map(({ classification }) => classification)]
    .flatMap((classification) => classification?.scores ?? [])
    .map(({ intent: scored, confidence }) => ({ intent: scored, chance: confidence }));
  const suspicions = readingsOf(judged).flatMap(({ whole, clause }) => [whole, clause]);
  const chances = [...scores, ...suspicions].map((found) => (found?.intent === intent ? found.chance : 0));
  return Math.max(0, ...chances);
}

function decisionFor(intent: string | null, { profile, defaultIntent }: GovernancePolicy): DecisionName {
  const counted = intent ?? defaultIntent;
  return counted === undefined ? "no_intent_match" : DECISION_OF[profile.standingOf(counted)];
}
