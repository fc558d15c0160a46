import type { EpochMs } from "../../domain/time.ts";
import type { CountingState } from "../../store/interface/analytics.ts";
import { uncountedOf } from "../uncounted.ts";
import { type Finding, fine, formatSpan } from "./finding.ts";

/** Whether counting keeps up with the messages. Pure. */
export function judgeCounting(state: CountingState, now: EpochMs): Finding {
  const behind = uncountedOf(state, now);
  if (!behind) return fine("counting", "messages are counted as they come");
  const { messages, since } = behind;
  return {
    check: "counting",
    severity: "hint",
    message: `messages not counted yet: ${messages}, the first ${formatSpan(now - since)} old; the overview, Improve and events of turns lack them, lists and exports of conversations do not`,
    cure: "a running server counts them; see that `parley_turns_uncounted` falls, and look in the log for `could not be counted`",
  };
}
