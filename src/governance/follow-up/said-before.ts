import type { PastTurn } from "../../domain/conversation.ts";
import type { Subject } from "../../domain/subject.ts";
import type { EpochMs } from "../../domain/time.ts";
import { isSocialIntent, socialIntentOf, type SocialPolicy } from "../social-policy.ts";

/** After ten minutes people have done something else, and "yes" may mean that. */
export const LONGEST_PAUSE_MS = 10 * 60 * 1000;

/** What a message may lean on. */
export interface SaidBefore {
  /** The visitor's turn before, courtesies aside. */
  text: string;
  /** What was answered to it; absent where nothing was. */
  subject?: Subject;
}

/**
 * What a message at `now` may lean on: the latest turn that is no courtesy, at most ten minutes old. Nothing behind a goodbye, and nothing
 * where its text is not kept.
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
