import { rememberedAt } from "../../action/dialogue.ts";
import { type ActionReceipt, CALL_FAULTS, type CallReceipt } from "../../domain/action.ts";
import type { DecisionReceipt } from "../../domain/decision.ts";
import type { HandoffActions } from "../../domain/operator/handoffs.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { ActionTurn } from "../../store/interface/conversations.ts";

export const STATES: Record<NonNullable<ActionReceipt["state"]>, string> = {
  asking: "asked for",
  confirm: "asked for a yes",
  done: "done",
  failed: "not done",
  unsure: "nobody knows whether it was done",
};

const ENDED: Record<NonNullable<ActionReceipt["ended"]>, string> = {
  cancelled: "the visitor ended it",
  person: "it ended, as the visitor asked for a person",
  goodbye: "it ended with a goodbye",
};

const SOURCES = { message: "this message", earlier: "an earlier message", reply: "the reply" } as const;

/** The part of an action in a turn, in lines without visitors' values; empty if none. Pure. */
export function describeAction({ action }: Pick<DecisionReceipt, "action">): string[] {
  if (action === undefined) return [];
  const { intent, filled = [], call } = action;
  return [
    `${intent}: ${whatOf(action)}`,
    ...filled.map(({ slot, from }) => `\`${slot}\` from ${SOURCES[from]}`),
    ...(call === undefined ? [] : [describeCall(call)]),
  ];
}

function whatOf({ state, slot, ended, wrong, denied }: ActionReceipt): string {
  if (denied) return "what was given is denied, and fills nothing";
  if (ended !== undefined) return ENDED[ended];
  if (state === undefined) return "nothing";
  const asked = state === "asking" ? `${STATES.asking} \`${slot}\`` : STATES[state];
  return wrong ? `${asked} again, as the reply was none` : asked;
}

/** A call with its duration and result, without visitors' values. Pure. */
function describeCall(call: CallReceipt): string {
  const { endpoint, method, milliseconds, isDry } = call;
  if (isDry) return `would call ${method} ${endpoint}`;
  const [answer, ...reasons] = outcomeOfCall(call);
  return [`${method} ${endpoint}: ${answer} in ${milliseconds} ms`, ...reasons].join("; ");
}

/** The result of a call: the response, then the reason why none was requested or used. Pure. */
export function outcomeOfCall({
  status,
  fault,
  proofFailed,
}: Pick<CallReceipt, "status" | "fault" | "proofFailed">): string[] {
  return [
    status === undefined ? "no answer" : `status ${status}`,
    ...(fault === undefined ? [] : [CALL_FAULTS[fault]]),
    ...(proofFailed ? ["the proof failed"] : []),
  ];
}

/** Calls shown: the latest are of interest to an operator who takes over. */
const MAX_CALLS = 20;

/** The values and calls for actions in a conversation's turns, oldest first; undefined if there are none. Pure. */
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
  return { slots: slotsOf(turns, now), calls: calls.slice(-MAX_CALLS) };
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
