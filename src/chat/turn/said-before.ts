import type { PastTurn } from "../../domain/conversation.ts";
import type { EpochMs } from "../../domain/time.ts";
import { LONGEST_PAUSE_MS, type SaidBefore } from "../../governance/follow-up/follow-up.ts";
import { isSocialIntent, socialIntentOf, type SocialPolicy } from "../../governance/social-policy.ts";

/**
 * The earlier turn on which a message at `now` may depend: the latest that is no courtesy, at most ten minutes old. None after a goodbye,
 * or if its text is not stored.
 */
export function saidBefore(
  turns: readonly PastTurn[],
  now: EpochMs,
  social: Pick<SocialPolicy, "ownIntents"> | undefined,
): SaidBefore | undefined {
  const goodbye = social?.ownIntents.get("goodbye") ?? socialIntentOf("goodbye");
  for (const { at, input, intent, subject } of turns.toReversed()) {
    if (now - at > LONGEST_PAUSE_MS || intent === goodbye || input === "") return undefined;
    if (intent === undefined || !isSocialIntent(intent)) return { text: input, ...(subject && { subject }) };
  }
  return undefined;
}
