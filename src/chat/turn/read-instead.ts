import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Classification } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import { LONGEST_PAUSE_MS } from "../../governance/follow-up/follow-up.ts";
import { judgeMessage } from "../../governance/judge-message.ts";
import { isSocialIntent, socialIntentOf } from "../../governance/social-policy.ts";

/**
 * Classifies the message before a complaint again, given that it had none of the intents answered or offered since. Undefined if it was
 * a courtesy or more than ten minutes ago. Pure.
 */
export function readInstead(
  { classifier, policy }: Pick<LoadedBot, "classifier" | "policy">,
  turns: readonly PastTurn[],
  now: EpochMs,
): Classification | undefined {
  const said = new Set<IntentName>();
  for (const { at, input, intent, suggestions = [] } of turns.toReversed()) {
    if (now - at > LONGEST_PAUSE_MS) return undefined;
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
