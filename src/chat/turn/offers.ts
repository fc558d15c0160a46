import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { BotDocument } from "../../domain/bot.ts";
import type { NextStep } from "../../domain/chat.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Decision } from "../../domain/decision.ts";
import { offersPersonWhen } from "../../domain/handoff.ts";
import type { IntentName } from "../../domain/ids.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";
import { socialIntentOf } from "../../governance/social-policy.ts";
import { labelsWith, plainWords } from "../../social/label-words.ts";
import { contentWordsOf } from "../../text/content-words.ts";
import { normaliseText } from "../../text/normalise.ts";
import { hasNothing } from "./refusal.ts";

/**
 * Whether a turn offers a person: after a refusal by the profile, after the second message in a row that was not understood, after a
 * repeated answer, if the visitor or the intent asks for one, after a complaint about an answer, and for data that the bot cannot look
 * up. Pure.
 */
export function offersPerson(
  { handoff, intents = [] }: Pick<BotDocument, "handoff" | "intents">,
  decision: Decision,
  { asksForPerson }: Pick<JudgedMessage, "asksForPerson">,
  turns: readonly PastTurn[],
): boolean {
  if (decision.kind === "restricted" && decision.reason !== "no_intent_match") {
    return offersPersonWhen(handoff, "refused");
  }
  const isAsked =
    asksForPerson === true ||
    decision.intent === socialIntentOf("person") ||
    intents.some((one) => one.name === decision.intent && one.handoff);
  if (isAsked && offersPersonWhen(handoff, "asked")) return true;
  if (decision.intent === socialIntentOf("repair") || decision.rule === "data") {
    return offersPersonWhen(handoff, "asked") || offersPersonWhen(handoff, "not_understood_twice");
  }
  if (decision.kind === "allowed") return false;
  const isStuck = decision.rule === "said-before" || wasNotUnderstood(turns.at(-1));
  return isStuck && offersPersonWhen(handoff, "not_understood_twice");
}

/** A refusal has an intent, unless a term or a pattern denied it; in that case the visitor was offered a person already. */
function wasNotUnderstood(turn: PastTurn | undefined): boolean {
  return turn?.state === "complete" && !turn.capabilityAllowed && turn.intent === undefined;
}

/** Maximum number of suggestions if the bot has no answer. */
const MAX_OFFERED = 5;

/** The message, with facts about its turn. */
interface Asked {
  input: string;
  /** Headings of the bot's documents that contain words of the message. */
  headings?: readonly NextStep[] | undefined;
  isPersonOffered: boolean;
}

/**
 * Suggested next questions: those of the answered intent, except denied ones; otherwise headings that contain words of the message. If the
 * bot has no answer: such headings, its abilities, and a request for a person. Pure.
 */
export function nextSteps(bot: LoadedBot, decision: Decision, asked: Asked): NextStep[] {
  const { headings = [] } = asked;
  if (hasNothing(decision)) return whereNothing(bot, asked);
  if (decision.kind === "restricted") return decision.rule === "no-match" ? [...headings] : [];
  const named = bot.document.intents?.find(({ name }) => name === decision.intent)?.next ?? [];
  const own = named.flatMap((step) => stepOf(bot, step));
  return own.length > 0 ? own : [...headings];
}

/** An intent's step sends its first example, which is sure to match; other steps are texts to send. */
function stepOf({ document: { intents = [] }, policy }: LoadedBot, step: string): NextStep[] {
  const intent = intents.find(({ name }) => name === step);
  if (intent === undefined) return [{ label: step, input: step }];
  if (policy.profile.standingOf(intent.name) !== "allowed") return [];
  const label = policy.labels.get(intent.name) ?? step;
  return [{ label, input: intent.examples?.[0] ?? label }];
}

/** Intents whose labels contain a word of the message come first, then the others in the order of the bot file. */
function whereNothing(bot: LoadedBot, { input, headings = [], isPersonOffered }: Asked): NextStep[] {
  const { intents, labels } = bot.policy;
  const words = contentWordsOf(input);
  const isNamed = (intent: IntentName) => {
    const label = [plainWords(labels.get(intent) ?? intent)];
    return words.some((word) => labelsWith(word, label).length > 0);
  };
  const person = isPersonOffered ? [] : wayToPerson(bot);
  const most = MAX_OFFERED - person.length;
  const steps = new Map(headings.map((heading) => [normaliseText(heading.label), heading]));
  for (const intent of [...intents.filter(isNamed), ...intents]) {
    if (steps.size >= most) break;
    for (const step of stepOf(bot, intent)) {
      const key = normaliseText(step.label);
      if (!steps.has(key)) steps.set(key, step);
    }
  }
  return [...steps.values()].filter(({ label }) => label !== person[0]?.label).concat(person);
}

/** Sends an example of the bot's own intent for that, if it has one. */
function wayToPerson(bot: LoadedBot): NextStep[] {
  const { social, texts } = bot.policy;
  if (social === undefined || !offersPersonWhen(bot.document.handoff, "asked")) return [];
  const own = social.ownIntents.get("person");
  if (own !== undefined) return stepOf(bot, own);
  return social.standingOf(socialIntentOf("person")) === "allowed" ? [texts.askPerson] : [];
}
