import { rememberedAt } from "../../action/dialogue.ts";
import type { HandoffActions } from "../../domain/operator/handoffs.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { ActionTurn } from "../../store/interface/conversations.ts";
import { describeCall } from "../receipt/describe-action.ts";

/** Calls that are shown: whoever takes over wants the latest. */
const MOST_CALLS = 20;

/** What a conversation's turns, oldest first, came to by actions; undefined where none had a part in it. Pure. */
export function actionsOfConversation(
  turns: readonly ActionTurn[],
  now: EpochMs,
): HandoffActions | undefined {
  const receipts = turns.flatMap(({ requestId, at, receipt }) =>
    receipt === undefined ? [] : [{ requestId, at, ...receipt }],
  );
  if (receipts.length === 0) return undefined;
  const calls = receipts.flatMap(({ requestId, at, intent, state, call }) =>
    call === undefined || state === undefined
      ? []
      : [{ requestId, at, intent, state, says: describeCall(call) }],
  );
  return { slots: slotsOf(turns, now), calls: calls.slice(-MOST_CALLS) };
}

/** With the values that the bot still knows. */
function slotsOf(turns: readonly ActionTurn[], now: EpochMs): HandoffActions["slots"] {
  const known = rememberedAt({ turns }, now)?.values ?? {};
  const given = turns.findLast(({ action }) => action !== undefined)?.action?.values ?? {};
  const filled = turns.flatMap(({ receipt }) => (receipt?.filled ?? []).map(({ slot }) => slot));
  return [...new Set([...filled, ...Object.keys(given)])].map((name) => {
    const value = known[name]?.value;
    return { name, ...(value !== undefined && { value }) };
  });
}
