import { actionsOf, type CompiledAction } from "../../action/compile-action.ts";
import { type Step, WRONG_UNTIL_PERSON } from "../../action/dialogue.ts";
import { slotInWords } from "../../action/wording.ts";
import type { ActionMemory, ReadingDoubt, Slot, SlotValue } from "../../domain/action.ts";
import type { NextStep } from "../../domain/chat.ts";
import { IS_THAT_RIGHT } from "../../texts/slot-words.ts";
import {
  type ActionResult,
  type ActParts,
  confirmationText,
  askToConfirm,
  filledOf,
  type Performing,
  wordsOf,
  yesAndNo,
} from "./action-result.ts";
import { callEndpoint } from "./call-action.ts";
import type { DecidedMessage } from "./decided-message.ts";
import { plannedAction } from "./plan-action.ts";

/** Performs the plan: asks for a value, asks for confirmation, or calls the endpoint. */
export async function performAction(parts: ActParts, decided: Performing): Promise<ActionResult> {
  const { step, isDenied } = decided.action;
  const action = plannedAction(decided.message.bot, decided.action);
  if (action === undefined || step.kind === "none") {
    const receipt =
      isDenied && step.memory.open ? { intent: step.memory.open.intent, denied: true as const } : undefined;
    return { ...silent(decided, step.memory), receipt };
  }
  if (step.kind === "aside") return reminded(decided, action, step);
  if (step.kind === "confirm") return askToConfirm(parts, decided, action, step);
  if (step.kind === "end") return ended(decided, step);
  const result =
    step.kind === "ask" ? asked(decided, action, step) : await callEndpoint(parts, decided, action, step);
  return withReadBack(result, decided, action);
}

/** Stores that values were deleted; otherwise an earlier turn's values would be restored. */
const silent = ({ action: { before } }: Performing, memory: ActionMemory): ActionResult => ({
  text: "",
  isResult: false,
  memory: isEmpty(memory) && (before === undefined || isEmpty(before)) ? undefined : memory,
  receipt: undefined,
  next: [],
  offersPerson: false,
});

const isEmpty = ({ values, open }: ActionMemory): boolean =>
  open === undefined && Object.keys(values).length === 0;

/** The question for a slot, after the fault of the last reply. */
function asked(
  decided: DecidedMessage,
  { intent }: CompiledAction,
  step: Extract<Step, { kind: "ask" }>,
): ActionResult {
  const { slot, wrong, memory } = step;
  const words = wordsOf(decided);
  // If texts are not stored, another server knows that there was a value, but not which one.
  const read = memory.open?.readsBack ? memory.values[slot.name] : undefined;
  const isReadBack = read !== undefined;
  const kind = isReadBack ? "yesno" : slot.type;
  const fault = wrong === undefined ? [] : [wrong === "several" ? words.several : words.wrong[kind]];
  const question = isReadBack ? [readBackOf(decided, read), IS_THAT_RIGHT] : [slot.ask ?? slot.name];
  return {
    text: [...fault, ...question].join(" "),
    isResult: false,
    memory,
    receipt: {
      intent,
      state: "asking",
      slot: slot.name,
      ...filledOf(step),
      ...(wrong && { wrong: true as const }),
    },
    next: isReadBack ? yesAndNo(decided) : repliesTo(slot, decided),
    offersPerson: (memory.open?.wrong ?? 0) >= WRONG_UNTIL_PERSON,
  };
}

function repliesTo({ type, choices = [] }: Slot, decided: DecidedMessage): NextStep[] {
  if (type === "yesno") return yesAndNo(decided);
  return choices.map(({ value, label = value }) => ({ label, input: label }));
}

/** Repeats the open question after the answer to another one. */
function reminded(
  decided: DecidedMessage,
  action: CompiledAction,
  step: Extract<Step, { kind: "aside" }>,
): ActionResult {
  const { open, memory } = step;
  const slot = action.slots.find(({ name }) => name === open.slot);
  if (slot !== undefined)
    return asked(decided, action, { ...step, kind: "ask", intent: action.intent, slot });
  return {
    text: confirmationText(decided, action, memory),
    isResult: false,
    memory,
    receipt: { intent: action.intent, state: "confirm" },
    next: yesAndNo(decided),
    offersPerson: false,
  };
}

function ended(decided: Performing, { memory, intent, why }: Extract<Step, { kind: "end" }>): ActionResult {
  const { texts } = decided.message.bot.policy;
  return {
    ...silent(decided, memory),
    text: why === "cancelled" ? texts.say("social.acknowledge") : "",
    receipt: { intent, ended: why },
  };
}

function readBackOf(decided: DecidedMessage, { type, value }: SlotValue): string {
  const { wording } = actionsOf(decided.message.bot.document);
  return wordsOf(decided).readBack.replace("{value}", () => slotInWords(type, value, undefined, wording));
}

/**
 * Reads ambiguous values back once: before the next question, or the answer. Where the reading must be confirmed, that is asked first, unless
 * the action itself is confirmed. Not under a schema.
 */
function withReadBack(
  result: ActionResult,
  decided: DecidedMessage,
  { slots }: CompiledAction,
): ActionResult {
  const { memory, receipt } = result;
  const isDue = (doubt: ReadingDoubt | undefined) =>
    doubt === "tell" || (doubt === "ask" && receipt?.state === "confirm");
  const doubtful = Object.entries(memory?.values ?? {}).filter(
    ([name, { doubt }]) => isDue(doubt) && slots.some((slot) => slot.name === name),
  );
  if (memory === undefined || doubtful.length === 0 || result.satisfiesSchema) return result;
  const said = doubtful.map(([, value]) => readBackOf(decided, value));
  const read = doubtful.map(([name, { doubt: _, ...value }]) => [name, value] as const);
  return {
    ...result,
    text: [...said, result.text].join(" "),
    memory: { ...memory, values: { ...memory.values, ...Object.fromEntries(read) } },
  };
}
