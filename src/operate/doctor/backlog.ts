import type { Config } from "../../config/config.ts";
import type { EpochMs } from "../../domain/time.ts";
import { ENCODER_VERSION } from "../../intent/classifier.ts";
import type { CountingState } from "../../store/interface/analytics.ts";
import type { Vectors } from "../../store/interface/store.ts";
import { ENCODER_OFF } from "../../store/interface/vectors.ts";
import { type Finding, formatSpan, findingsOf } from "./finding.ts";

const COUNTING = findingsOf("counting");
const ENCODER = findingsOf("encoder");

/** Longer than counting normally takes: it runs once a second. */
const BEHIND_MS = 10_000;

/** Answered messages that are not counted yet. */
interface Uncounted {
  messages: number;
  /** Time of the oldest. */
  since: EpochMs;
}

/** Undefined if counting is up to date. */
export function uncountedOf({ left, leftSince }: CountingState, now: EpochMs): Uncounted | undefined {
  if (left === 0 || leftSince === undefined || now - leftSince < BEHIND_MS) return undefined;
  return { messages: left, since: leftSince };
}

/** Whether counting keeps up with the messages. Pure. */
export function judgeCounting(state: CountingState, now: EpochMs): Finding {
  const behind = uncountedOf(state, now);
  if (!behind) return COUNTING.fine("messages are counted as they come");
  const { messages, since } = behind;
  return COUNTING.hint(
    `messages not counted yet: ${messages}, the first ${formatSpan(now - since)} old; the overview, Improve and events of turns lack them, lists and exports of conversations do not`,
    "a running server counts them; see that `parley_turns_uncounted` falls, and look in the log for `could not be counted`",
  );
}

/** Whether texts are encoded according to the servers of this store, and how far it has come. */
export async function examineEncoder(
  vectors: Pick<Vectors, "listRunning" | "countUnencoded">,
  { encoder }: Pick<Config, "encoder">,
): Promise<Finding> {
  const running = await vectors.listRunning();
  const other = encoder === "on" ? "off" : "on";
  if (running.some((version) => (version === ENCODER_OFF) !== (encoder === "off"))) {
    return ENCODER.mend(
      `a server that runs on this store, or was killed while it did, has --encoder ${other}, and these settings say ${encoder}: a server with them does not start beside one that runs`,
      "give all servers of the store the same `--encoder`, and this command the settings of `parley serve`",
    );
  }
  if (encoder === "off") return ENCODER.fine("off: messages are understood by their words alone");
  const { bots, passages } = await vectors.countUnencoded(ENCODER_VERSION);
  if (bots + passages === 0)
    return ENCODER.fine(`${ENCODER_VERSION}, which has read all examples and passages`);
  return ENCODER.hint(
    `${ENCODER_VERSION} has not read everything yet (bots whose examples are not encoded: ${bots}, passages: ${passages}); until then, words alone decide there`,
    "a running server encodes them; see that `parley_encoder_unready` falls, and look in the log for `were encoded`",
  );
}
