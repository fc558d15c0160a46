import { createHmac } from "node:crypto";

import { type ActionRequest, buildRequest } from "../../action/build-request.ts";
import { actionsOf, type CompiledAction } from "../../action/compile-action.ts";
import { type Step, withoutOnce, WRONG_UNTIL_PERSON } from "../../action/dialogue.ts";
import type { EndpointCaller } from "../../action/endpoint-caller.ts";
import { wordSlots } from "../../action/word-answer.ts";
import type { Judge } from "../../bots/judging-thread.ts";
import type { ActionMemory, ActionReceipt, CallFault, CallReceipt } from "../../domain/action.ts";
import type { NextStep } from "../../domain/chat.ts";
import { newActionId, type RandomBytes } from "../../domain/ids.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import type { AskedAction } from "../../store/interface/actions.ts";
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
export interface ActionResult {
  /** What the action says. If the message also asked something else, that answer comes first. Empty: nothing to say. */
  text: string;
  /** Whether the bot file's next steps may follow the text. They do not follow a question of the action. */
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

/** The result of an action that ends here. Whatever is given in `more` replaces the defaults. */
export function resultOf(
  { intent }: CompiledAction,
  step: Step,
  {
    text,
    state,
    call,
    ...more
  }: Pick<ActionReceipt, "state" | "call"> & { text: string } & Partial<ActionResult>,
): ActionResult {
  return {
    text,
    isResult: true,
    memory: memoryAfter(step, intent, "done"),
    receipt: { intent, ...(state && { state }), ...filledOf(step), ...(call && { call }) },
    next: [],
    offersPerson: false,
    ...more,
  };
}

export function failed(action: CompiledAction, step: Step, call: CallReceipt): ActionResult {
  return resultOf(action, step, { text: action.failure, state: "failed", call });
}

/** The result if `fault` kept the endpoint from being called. */
export function refused(action: CompiledAction, step: Step, fault: CallFault, id = ""): ActionResult {
  const call = { id, endpoint: action.endpoint, method: action.method, milliseconds: 0, fault };
  return failed(action, step, call);
}

export function confirmationText(
  { message: { bot } }: DecidedMessage,
  { confirm, slots }: CompiledAction,
  { values }: ActionMemory,
): string {
  const { wording } = actionsOf(bot.document);
  return confirm === undefined ? "" : wordSlots(confirm, { values, slots, wording });
}

/**
 * Asks the visitor to confirm exactly this action. The action's id and a keyed hash are stored before the first question; a repeated
 * question keeps them.
 */
export async function askToConfirm(
  { actions, randomBytes, now }: Pick<ActParts, "actions" | "randomBytes" | "now">,
  decided: DecidedMessage,
  action: CompiledAction,
  step: Step & { isWrong?: true },
): Promise<ActionResult> {
  const { intent } = action;
  const { memory, isWrong } = step;
  const text = confirmationText(decided, action, memory);
  const known = memory.open?.confirm;
  const said = isWrong ? `${wordsOf(decided).wrong.yesno} ${text}` : text;
  const offersPerson = (memory.open?.wrong ?? 0) >= WRONG_UNTIL_PERSON;
  const asking = { text: said, isResult: false, next: yesAndNo(decided), offersPerson };
  const receipt = {
    intent,
    state: "confirm" as const,
    ...filledOf(step),
    ...(isWrong && { wrong: true as const }),
  };
  if (known !== undefined) return { ...asking, memory, receipt: { ...receipt, confirms: known.id } };
  const request = buildRequest(action, memory.values);
  if (request === undefined) return refused(action, step, "unsafe-path");
  const at = now();
  const confirm = {
    id: newActionId(at, randomBytes),
    key: Buffer.from(randomBytes(32)).toString("base64"),
    at,
  };
  await actions.ask(askedAction(action, request, confirm, text));
  const open = { intent, confirm, wrong: 0 };
  return {
    ...asking,
    memory: { values: memory.values, open },
    receipt: { ...receipt, confirms: confirm.id },
  };
}

/**
 * The stored record of an action to confirm. A plain hash could be guessed from likely values, so it is keyed; the key is stored only
 * with the values.
 */
export function askedAction(
  { endpoint }: CompiledAction,
  { method, path, query, body }: ActionRequest,
  { id, key, at }: { id: string; key: string; at: EpochMs },
  text: string,
): AskedAction {
  const what = JSON.stringify([endpoint, method, path, query, body ?? null, text]);
  return { id, at, hash: createHmac("sha256", Buffer.from(key, "base64")).update(what).digest() };
}
