import { PROOF_MS } from "../../action/dialogue.ts";
import type { HandoffActions } from "../../domain/operator/handoffs.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { StoredTurn } from "../../store/interface/conversations.ts";
import { describeCall } from "../receipt/describe-action.ts";

/** Calls shown: the latest are of interest to an operator who takes over. */
const MOST_CALLS = 20;

/** The values and calls for actions in a conversation's turns, oldest first; undefined if there are none. Pure. */
export function actionsOfConversation(
  turns: readonly Pick<StoredTurn, "requestId" | "at" | "action" | "receipt">[],
  now: EpochMs,
): HandoffActions | undefined {
  const receipts = turns.flatMap(({ requestId, at, receipt: { action } }) =>
    action === undefined ? [] : [{ requestId, at, ...action }],
  );
  if (receipts.length === 0) return undefined;
  const calls = receipts.flatMap(({ requestId, at, intent, state, call }) =>
    call === undefined || state === undefined
      ? []
      : [{ requestId, at, intent, state, says: describeCall(call) }],
  );
  return { slots: slotsOf(turns, now), calls: calls.slice(-MOST_CALLS) };
}

/** Values known to the bot. Those of a proof are deleted some time after the visitor's last message. */
function slotsOf(turns: Parameters<typeof actionsOfConversation>[0], now: EpochMs): HandoffActions["slots"] {
  const known = turns.findLast(({ action }) => action !== undefined)?.action?.values ?? {};
  const isForgotten = now - (turns.at(-1)?.at ?? 0) > PROOF_MS;
  const filled = turns.flatMap(({ receipt }) => (receipt.action?.filled ?? []).map(({ slot }) => slot));
  return [...new Set([...filled, ...Object.keys(known)])].map((name) => {
    const given = known[name];
    const isKnown = given !== undefined && !(isForgotten && given.isProof);
    return { name, ...(isKnown && { value: given.value }) };
  });
}
