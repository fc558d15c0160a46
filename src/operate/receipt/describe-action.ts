import { type ActionReceipt, CALL_FAULTS, type CallReceipt } from "../../domain/action.ts";
import type { DecisionReceipt } from "../../domain/decision.ts";

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
export function describeCall(call: CallReceipt): string {
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
