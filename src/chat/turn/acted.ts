import type { CompiledAction } from "../../action/compile-action.ts";
import { type Step, withoutOnce } from "../../action/dialogue.ts";
import type { EndpointCaller } from "../../action/endpoint-caller.ts";
import type { Judge } from "../../bots/judging-thread.ts";
import type { ActionMemory, ActionReceipt, CallFault, CallReceipt } from "../../domain/action.ts";
import type { NextStep } from "../../domain/chat.ts";
import type { RandomBytes } from "../../domain/ids.ts";
import type { Now } from "../../domain/time.ts";
import type { Actions } from "../../store/interface/store.ts";
import { SLOT_WORDS } from "../../texts/slot-words.ts";
import type { ActionPlan, DecidedMessage } from "./decided-message.ts";

/** The parts that performing an action uses. */
export interface ActParts {
  actions: Actions;
  endpoints: EndpointCaller;
  judge: Judge;
  randomBytes: RandomBytes;
  now: Now;
}

/** The result of an action in a turn. */
export interface Acted {
  /** The action's text; it follows the answer to another question, if there is one. Empty if there is nothing to say. */
  text: string;
  /** Whether it is a result rather than a question. */
  isResult: boolean;
  /** The text satisfies the intent's schema and must not be changed. */
  satisfiesSchema?: true;
  memory: ActionMemory | undefined;
  receipt: ActionReceipt | undefined;
  next: NextStep[];
  offersPerson: boolean;
}

/** A message with a planned action. */
export type Performing = DecidedMessage & { action: ActionPlan };

export const wordsOf = ({ message: { bot } }: DecidedMessage) => SLOT_WORDS[bot.policy.texts.language];

export function filledOf({ filled }: Step): Pick<ActionReceipt, "filled"> {
  return filled.length === 0 ? {} : { filled };
}

export function yesAndNo(decided: DecidedMessage): NextStep[] {
  const { yes, no } = wordsOf(decided);
  return [yes, no].map((label) => ({ label, input: label }));
}

export function memoryAfter(
  { memory }: Step,
  intent: CompiledAction["intent"],
  answered: "done" | "failed",
): ActionMemory {
  return { values: withoutOnce(memory.values), open: { intent, answered, wrong: 0 } };
}

export function failed({ intent, failure }: CompiledAction, step: Step, call: CallReceipt): Acted {
  return {
    text: failure,
    isResult: true,
    memory: memoryAfter(step, intent, "done"),
    receipt: { intent, state: "failed", ...filledOf(step), call },
    next: [],
    offersPerson: false,
  };
}

/** The result if nothing was called. */
export function refused(action: CompiledAction, step: Step, fault: CallFault, id = ""): Acted {
  const call = { id, endpoint: action.endpoint, method: action.method, milliseconds: 0, fault };
  return failed(action, step, call);
}
