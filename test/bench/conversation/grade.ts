import type { BotDocument } from "../../../src/domain/bot.ts";
import { KNOWLEDGE_INTENT } from "../../../src/domain/ids.ts";
import type { RehearsedTurn } from "../../../src/operate/rehearsal.ts";
import type { ExpectedTurn } from "./conversations.ts";

/** The grade of a reply: `wrong` states or refuses what it should not, `useless` says nothing relevant. */
export type Outcome = "served" | "wrong" | "useless";

/** A turn, and what came of it. */
export interface GradedTurn {
  kind: ExpectedTurn["kind"];
  needsContext: boolean;
  outcome: Outcome;
  /** Whether the visitor got the facts; absent if the turn needs no fact that only documents have. */
  hasFacts?: boolean;
  /** It was asked which intent is meant. */
  isAsked: boolean;
  /** It is word for word the reply before. */
  isRepeat: boolean;
  /** An answer was given that should have been refused. */
  isDeniedAnswered: boolean;
}

/** The parts of a reply that grading needs. */
export type Reply = Pick<RehearsedTurn, "answer"> & {
  receipt: Pick<RehearsedTurn["receipt"], "alsoIntents" | "rule" | "candidates">;
};

const REFUSALS = new Set(["DENY_LIST", "NOT_IN_ALLOW_LIST"]);
/** Courtesies that are no repair. */
const ACKNOWLEDGEMENTS = new Set([
  "social.acknowledge",
  "social.thanks",
  "social.greeting",
  "social.goodbye",
]);
const APOLOGY =
  /sorry|apolog|entschuldig|tut (?:mir|uns) leid|désolé|pardon|excuse|lo siento|perdón|perdona|disculp|mi dispiace|scus[ai]|spijt|excuses|desculp|lamento/iu;

/** Grades a reply by the rules of the README beside the data. @param before the text of the reply before it. */
export function gradeTurn(
  turn: ExpectedTurn,
  reply: Reply,
  before: string | undefined,
  bot: Pick<BotDocument, "intents">,
): GradedTurn {
  const { expect, kind } = turn;
  const { response, metadata } = reply.answer;
  const isServed = isMet(turn, reply, before);
  const states = statesSomething(reply, bot);
  const isWrong =
    expect.mustNot?.some((pattern) => matches(pattern, response)) === true ||
    (isRefused(reply) && !expect.refused && !expect.outside) ||
    (!isServed && states);
  return {
    kind,
    needsContext: turn.needs_context,
    outcome: isWrong ? "wrong" : isServed ? "served" : "useless",
    ...(needsDocument(turn, bot) && { hasFacts: hasFacts(expect.facts, response) }),
    isAsked: isAskedBack(reply),
    isRepeat: before !== undefined && response !== "" && response === before,
    isDeniedAnswered: kind === "denied" && states && !isServed && metadata.capabilityAllowed,
  };
}

/** Whether the reply meets one of the requirements by which the turn is served. */
function isMet({ expect }: ExpectedTurn, reply: Reply, before: string | undefined): boolean {
  const { response, intentDetected = "", metadata } = reply.answer;
  const { facts, intents = [], social = [], clarify = [] } = expect;
  if (expect.repair && response === before) return false;
  return [
    hasFacts(facts, response),
    facts === undefined && intentsOf(reply).some((intent) => intents.includes(intent)),
    expect.refused === true && isRefused(reply),
    social.includes(intentDetected),
    expect.outside === true && claimsNothing(reply),
    expect.person === true && metadata.handoff !== undefined,
    expect.repair === true && repairs(reply),
    isAskedBack(reply) && metadata.suggestions!.some(({ intent }) => clarify.includes(intent)),
  ].some(Boolean);
}

function hasFacts(facts: ExpectedTurn["expect"]["facts"], text: string): boolean {
  return facts?.every((group) => group.some((pattern) => matches(pattern, text))) === true;
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, "iu").test(text);
}

function intentsOf({ answer, receipt }: Reply): readonly string[] {
  if (!answer.metadata.capabilityAllowed) return [];
  return [answer.intentDetected ?? "", ...(receipt.alsoIntents ?? [])];
}

function isRefused({ answer: { metadata } }: Reply): boolean {
  return REFUSALS.has(metadata.enforcementReason ?? "");
}

function isAskedBack({ answer: { metadata } }: Reply): boolean {
  return !metadata.capabilityAllowed && (metadata.suggestions?.length ?? 0) > 0;
}

function claimsNothing(reply: Reply): boolean {
  const { metadata } = reply.answer;
  if (metadata.capabilityAllowed) return metadata.handoff !== undefined && !isOfDocuments(reply);
  return !isAskedBack(reply) || metadata.handoff !== undefined;
}

function repairs({ answer: { response, intentDetected = "", metadata } }: Reply): boolean {
  if (ACKNOWLEDGEMENTS.has(intentDetected)) return false;
  return APOLOGY.test(response) || (metadata.suggestions?.length ?? 0) > 0 || metadata.handoff !== undefined;
}

/** Whether it is an intent's answer, or a passage as the answer. Courtesies and ways to a person state nothing. */
function statesSomething(reply: Reply, { intents = [] }: Pick<BotDocument, "intents">): boolean {
  const { intentDetected = "", metadata } = reply.answer;
  if (!metadata.capabilityAllowed || intentDetected.startsWith("social.")) return false;
  return !intents.some((intent) => intent.name === intentDetected && intent.handoff === true);
}

function isOfDocuments(reply: Reply): boolean {
  return intentsOf(reply).includes(KNOWLEDGE_INTENT);
}

/** Whether neither a single response nor those of the expected intents together contain the facts. */
function needsDocument(
  { expect: { facts, intents: expected = [] } }: ExpectedTurn,
  { intents = [] }: Pick<BotDocument, "intents">,
): boolean {
  if (facts === undefined) return false;
  const responses = intents.flatMap((intent) => intent.responses ?? []);
  const ofExpected = intents.filter(({ name }) => expected.includes(name));
  const together = ofExpected.flatMap((intent) => intent.responses ?? []).join("\n");
  return ![...responses, together].some((text) => hasFacts(facts, text));
}
