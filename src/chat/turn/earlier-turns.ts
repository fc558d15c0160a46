import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Classification } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { DecisionInput } from "../../governance/decide.ts";
import { MAX_PAUSE_MS, type SaidBefore } from "../../governance/follow-up/follow-up.ts";
import { judgeMessage } from "../../governance/judge-message.ts";
import { isSocialIntent, socialIntentOf, type SocialPolicy } from "../../governance/social-policy.ts";
import type { BotTexts } from "../../texts/bot-texts.ts";

/**
 * The earlier turn on which a message at `now` may depend: the latest that is not a courtesy, at most ten minutes old. None after a
 * goodbye, or if its text is not stored.
 */
export function earlierRequest(
  turns: readonly PastTurn[],
  now: EpochMs,
  social: Pick<SocialPolicy, "ownIntents"> | undefined,
): SaidBefore | undefined {
  const goodbye = social?.ownIntents.get("goodbye") ?? socialIntentOf("goodbye");
  for (const { at, input, intent, subject } of turns.toReversed()) {
    if (now - at > MAX_PAUSE_MS || intent === goodbye || input === "") return undefined;
    if (intent === undefined || !isSocialIntent(intent)) return { text: input, ...(subject && { subject }) };
  }
  return undefined;
}

/** The previous turn's facts that a decision uses; empty for the first turn of a conversation. */
export function previousTurn(turns: readonly PastTurn[], now: EpochMs): Pick<DecisionInput, "previous"> {
  const last = turns.at(-1);
  if (!last) return {};
  const { intent, capabilityAllowed, state, at, suggestions = [] } = last;
  return {
    previous: {
      ...(intent !== undefined && { intent }),
      offered: state === "complete" ? suggestions : [],
      asks: asksForReply(last),
      wasAllowed: capabilityAllowed && state === "complete",
      ageMs: now - at,
    },
  };
}

/**
 * Whether a yes or no answers the turn. A "no" does not answer the question at the end of a courtesy ("Is there anything else?") or of a
 * refusal ("Could you say it in other words?").
 */
function asksForReply({ intent, capabilityAllowed, response, suggestions = [] }: PastTurn): boolean {
  const isAnswer = capabilityAllowed && intent?.startsWith("social.") !== true;
  return /[?？؟]\s*$/u.test(response) && (isAnswer || suggestions.length > 0);
}

/** Whether the last turn offered to pass the given data on. */
export function asksToPassOn(texts: BotTexts, turns: readonly PastTurn[]): boolean {
  const last = turns.at(-1);
  if (last === undefined || last.state !== "complete" || last.intent !== undefined) return false;
  return last.response.endsWith(texts.say("dataPassOn"));
}

/**
 * Classifies the message before a complaint again, given that it had none of the intents answered or offered since. Undefined if it was
 * a courtesy or more than ten minutes ago. Pure.
 */
export function classifyAgain(
  { classifier, policy }: Pick<LoadedBot, "classifier" | "policy">,
  turns: readonly PastTurn[],
  now: EpochMs,
): Classification | undefined {
  const said = new Set<IntentName>();
  for (const { at, input, intent, suggestions = [] } of turns.toReversed()) {
    if (now - at > MAX_PAUSE_MS) return undefined;
    if (intent !== undefined) said.add(intent);
    for (const suggestion of suggestions) said.add(suggestion.intent);
    if (intent === socialIntentOf("repair")) continue;
    if (input === "" || (intent !== undefined && isSocialIntent(intent))) return undefined;
    return withoutIntents(judgeMessage(input, classifier, policy).plain.classification, said);
  }
  return undefined;
}

/** The probabilities renormalised without some intents. */
function withoutIntents(classification: Classification, wrong: ReadonlySet<IntentName>): Classification {
  const { scores, inScope } = classification;
  const sum = scores.reduce((all, { intent, confidence }) => (wrong.has(intent) ? all + confidence : all), 0);
  const given = (chance: number): number => (sum < 1 ? chance / (1 - sum) : 0);
  const others = scores.filter(({ intent }) => !wrong.has(intent));
  return {
    ...classification,
    scores: others.map(({ intent, confidence }) => ({ intent, confidence: given(confidence) })),
    inScope: given(Math.max(0, inScope - sum)),
  };
}
