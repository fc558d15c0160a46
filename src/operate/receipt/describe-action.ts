import { PROOF_MS } from "../../action/dialogue.ts";
import { type ActionReceipt, CALL_FAULTS, type CallReceipt } from "../../domain/action.ts";
import type { DecisionReceipt } from "../../domain/decision.ts";
import type { HandoffActions } from "../../domain/operator/handoffs.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { StoredTurn } from "../../store/interface/conversations.ts";

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
