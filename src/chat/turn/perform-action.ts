import { createHmac, hash } from "node:crypto";

import { type ActionRequest, buildRequest } from "../../action/build-request.ts";
import { actionsOf, type CompiledAction } from "../../action/compile-action.ts";
import { CONFIRMATION_MS, type Step, withoutOnce, WRONG_UNTIL_PERSON } from "../../action/dialogue.ts";
import type { CallOrder, CallOutcome, EndpointCaller } from "../../action/endpoint-caller.ts";
import { wordAnswer, wordSlots } from "../../action/word-answer.ts";
import { slotInWords } from "../../action/wording.ts";
import type { Judge } from "../../bots/judging-thread.ts";
import type { ActionMemory, ActionReceipt, CallFault, CallReceipt, Slot } from "../../domain/action.ts";
import type { NextStep } from "../../domain/chat.ts";
import { newActionId, type RandomBytes } from "../../domain/ids.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import type { Actions, AskedAction } from "../../store/interface/actions.ts";
import { SLOT_WORDS } from "../../texts/slot-words.ts";
import type { ActionPlan } from "./action-plan.ts";
import type { DecidedMessage } from "./decided-message.ts";
import { denialIn, plannedAction } from "./plan-action.ts";

/** The parts that acting uses. */
export interface ActParts {
  actions: Actions;
  endpoints: EndpointCaller;
  judge: Judge;
  randomBytes: RandomBytes;
  now: Now;
}

/** What came of an action in a turn. */
export interface Acted {
  /** What is said; behind an answer to something else, where there is one. Empty where an action has no say. */
  text: string;
  /** It is a result, and not a question: the intent's schema holds for it. */
  isResult: boolean;
  memory: ActionMemory | undefined;
  receipt: ActionReceipt | undefined;
  next: NextStep[];
  offersPerson: boolean;
}

type Performing = DecidedMessage & { action: ActionPlan };

/** Does what is planned: asks, has it confirmed, or calls the endpoint. */
export async function performAction(parts: ActParts, decided: Performing): Promise<Acted> {
  const { step, isDenied } = decided.action;
  const action = plannedAction(decided.message.bot, decided.action);
  if (action === undefined || step.kind === "none") {
    const receipt =
      isDenied && step.memory.open ? { intent: step.memory.open.intent, denied: true as const } : undefined;
    return { ...silent(decided, step.memory), receipt };
  }
  switch (step.kind) {
    case "ask":
      return withReadBack(asked(decided, action, step), decided, action);
    case "aside":
      return reminded(decided, action, step);
    case "confirm":
      return confirming(parts, decided, action, step);
    case "end":
      return ended(decided, step);
    case "call":
      return withReadBack(await calling(parts, decided, action, step), decided, action);
  }
}

/** That values were forgotten is stored, too: what an earlier turn knew would else be known again. */
const silent = ({ action: { before } }: Performing, memory: ActionMemory): Acted => ({
  text: "",
  isResult: false,
  memory: isEmpty(memory) && (before === undefined || isEmpty(before)) ? undefined : memory,
  receipt: undefined,
  next: [],
  offersPerson: false,
});

const isEmpty = ({ values, open }: ActionMemory): boolean =>
  open === undefined && Object.keys(values).length === 0;

const wordsOf = ({ message: { bot } }: DecidedMessage) => SLOT_WORDS[bot.policy.texts.language];

function filledOf({ filled }: Step): Pick<ActionReceipt, "filled"> {
  return filled.length === 0 ? {} : { filled };
}

/** A slot's question, behind what is wrong with what was said. */
function asked(
  decided: DecidedMessage,
  { intent }: CompiledAction,
  step: Extract<Step, { kind: "ask" }>,
): Acted {
  const { slot, wrong, memory } = step;
  const words = wordsOf(decided);
  const fault = wrong === undefined ? [] : [wrong === "several" ? words.several : words.wrong[slot.type]];
  return {
    text: [...fault, slot.ask ?? slot.name].join(" "),
    isResult: false,
    memory,
    receipt: {
      intent,
      state: "asking",
      slot: slot.name,
      ...filledOf(step),
      ...(wrong && { wrong: true as const }),
    },
    next: repliesTo(slot, decided),
    offersPerson: (memory.open?.wrong ?? 0) >= WRONG_UNTIL_PERSON,
  };
}

function repliesTo({ type, choices = [] }: Slot, decided: DecidedMessage): NextStep[] {
  if (type === "yesno") return yesAndNo(decided);
  return choices.map(({ value, label = value }) => ({ label, input: label }));
}

function yesAndNo(decided: DecidedMessage): NextStep[] {
  const { yes, no } = wordsOf(decided);
  return [yes, no].map((label) => ({ label, input: label }));
}

/** Behind the answer to something else, what is open is asked again. */
function reminded(
  decided: DecidedMessage,
  action: CompiledAction,
  step: Extract<Step, { kind: "aside" }>,
): Acted {
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

function confirmationText(
  { message: { bot } }: DecidedMessage,
  { confirm, slots }: CompiledAction,
  { values }: ActionMemory,
): string {
  const { wording } = actionsOf(bot.document);
  return confirm === undefined ? "" : wordSlots(confirm, { values, slots, wording });
}

/** Asks for a yes to this very action: its id and a keyed hash are stored before anybody can say it. */
async function confirming(
  { actions, randomBytes, now }: Pick<ActParts, "actions" | "randomBytes" | "now">,
  decided: DecidedMessage,
  action: CompiledAction,
  step: Step & { isWrong?: true },
): Promise<Acted> {
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
  if (request === undefined) return refused(decided, action, step, "unsafe-path");
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

/** Without the key, which is kept with the values alone, nobody finds out from the hash what was to be done. */
function askedAction(
  { endpoint }: CompiledAction,
  { method, path, query, body }: ActionRequest,
  { id, key, at }: { id: string; key: string; at: EpochMs },
  text: string,
): AskedAction {
  const what = JSON.stringify([endpoint, method, path, query, body ?? null, text]);
  return { id, at, hash: createHmac("sha256", Buffer.from(key, "base64")).update(what).digest() };
}

function ended(decided: Performing, { memory, intent, why }: Extract<Step, { kind: "end" }>): Acted {
  const { texts } = decided.message.bot.policy;
  return {
    ...silent(decided, memory),
    text: why === "cancelled" ? texts.say("social.acknowledge") : "",
    receipt: { intent, ended: why },
  };
}

type CallStep = Extract<Step, { kind: "call" }>;

/** What is said where nothing was called. */
function refused(
  decided: DecidedMessage,
  action: CompiledAction,
  step: Step,
  fault: CallFault,
  id = "",
): Acted {
  const call = { id, endpoint: action.endpoint, method: action.method, milliseconds: 0, fault };
  return failed(decided, action, step, call);
}

function failed(
  _: DecidedMessage,
  { intent, failure }: CompiledAction,
  step: Step,
  call: CallReceipt,
): Acted {
  return {
    text: failure,
    isResult: true,
    memory: memoryAfter(step, intent, "done"),
    receipt: { intent, state: "failed", ...filledOf(step), call },
    next: [],
    offersPerson: false,
  };
}

/** Nobody knows whether it was done: it is not tried again by itself, and a person can look. */
function unsure(
  { message: { bot } }: DecidedMessage,
  { intent }: CompiledAction,
  step: Step,
  call: CallReceipt,
): Acted {
  return {
    text: bot.policy.texts.say("actionUnsure"),
    isResult: true,
    memory: { values: withoutOnce(step.memory.values) },
    receipt: { intent, state: "unsure", ...filledOf(step), call },
    next: [],
    offersPerson: true,
  };
}

function memoryAfter(
  { memory }: Step,
  intent: CompiledAction["intent"],
  answered: "done" | "failed",
): ActionMemory {
  return { values: withoutOnce(memory.values), open: { intent, answered, wrong: 0 } };
}

/** Calls the endpoint: once, where it was confirmed. */
async function calling(
  parts: ActParts,
  decided: Performing,
  action: CompiledAction,
  step: CallStep,
): Promise<Acted> {
  const { bot } = decided.message;
  const request = buildRequest(action, step.memory.values);
  if (request === undefined) return refused(decided, action, step, "unsafe-path");
  const id = step.confirmed?.id ?? newActionId(parts.now(), parts.randomBytes);
  const order: CallOrder = {
    id,
    endpoint: action.endpoint,
    bot: bot.id,
    conversation: decided.conversation.id,
    request,
    hasProof: action.proof.size >= 2,
  };
  const refusal = parts.endpoints.refusalOf(order);
  if (refusal !== undefined) return refused(decided, action, step, refusal, id);
  if (isOnlyObserved(decided)) return failed(decided, action, step, { ...callOf(order), isDry: true });
  if (parts.endpoints.isDry)
    return answered(parts, decided, action, step, { order, outcome: await parts.endpoints.call(order) });
  if (action.proof.size > 0 && !(await reserveProof(parts, decided, id)))
    return tooMany(decided, action, step, order);
  const claim = step.confirmed && (await claimed(parts, decided, action, step, request));
  if (claim !== undefined && claim !== "claimed") {
    await parts.actions.releaseProof(id);
    return claim === "void"
      ? confirming(parts, decided, action, {
          ...step,
          kind: "confirm",
          memory: { values: step.memory.values },
        })
      : unsure(decided, action, step, { ...callOf(order), fault: "claimed" });
  }
  const outcome = await parts.endpoints.call(order);
  return answered(parts, decided, action, step, { order, outcome });
}

const callOf = ({ id, endpoint, request: { method } }: CallOrder) => ({
  id,
  endpoint,
  method,
  milliseconds: 0,
});

/** In observe mode, what enforcement would restrict is never called. */
function isOnlyObserved({ message: { bot }, decision, action: { step } }: Performing): boolean {
  if (bot.policy.mode !== "observe") return false;
  const intent = step.kind === "call" ? step.intent : undefined;
  const wouldRestrict = decision.kind === "allowed" && decision.wouldRestrict !== undefined;
  return wouldRestrict || intent === undefined || bot.policy.profile.standingOf(intent) !== "allowed";
}

function reserveProof(
  { actions, now }: Pick<ActParts, "actions" | "now">,
  { message: { bot, caller = "" }, conversation }: DecidedMessage,
  id: string,
): Promise<boolean> {
  const caller32 = hash("sha256", `${bot.id} ${caller}`, "buffer");
  return actions.reserveProof({ id, conversation: conversation.id, caller: caller32, at: now() });
}

function tooMany(decided: DecidedMessage, action: CompiledAction, step: CallStep, order: CallOrder): Acted {
  return {
    ...failed(decided, action, step, { ...callOf(order), fault: "too-many-proofs" }),
    text: wordsOf(decided).tooMany,
    isResult: false,
    offersPerson: true,
  };
}

/** Claims the action that was confirmed, as it would be done and asked now. */
function claimed(
  { actions, now }: Pick<ActParts, "actions" | "now">,
  decided: DecidedMessage,
  action: CompiledAction,
  { confirmed, memory }: CallStep,
  request: ActionRequest,
) {
  const text = confirmationText(decided, action, memory);
  return actions.claim(askedAction(action, request, confirmed!, text), now() - CONFIRMATION_MS);
}

interface Called {
  order: CallOrder;
  outcome: CallOutcome;
}

/** What is said of the endpoint's answer; what was claimed is ended, and a proof that was right counts no more. */
async function answered(
  parts: ActParts,
  decided: Performing,
  action: CompiledAction,
  step: CallStep,
  called: Called,
): Promise<Acted> {
  const { order } = called;
  const acted = await wordsFor(parts, decided, action, step, called);
  if (parts.endpoints.isDry) return acted;
  const { state, call } = acted.receipt!;
  if (action.proof.size > 0 && !call?.proofFailed) await parts.actions.releaseProof(order.id);
  if (step.confirmed !== undefined) await parts.actions.end(order.id, state as "done" | "failed" | "unsure");
  return acted;
}

async function wordsFor(
  { judge }: Pick<ActParts, "judge">,
  decided: Performing,
  action: CompiledAction,
  step: CallStep,
  { order, outcome }: Called,
): Promise<Acted> {
  const { bot } = decided.message;
  const isSafe = action.method === "GET";
  const call: CallReceipt = { ...callOf(order), milliseconds: outcome.milliseconds };
  const without = (fault: CallFault, isDone: boolean, more: Partial<CallReceipt> = {}): Acted => {
    const receipt = { ...call, ...more, fault };
    return isDone ? unsure(decided, action, step, receipt) : failed(decided, action, step, receipt);
  };
  if (outcome.kind === "dry") return dry(action, step, order, call);
  if (outcome.kind !== "answered") return without(outcome.fault, outcome.kind === "unknown" && !isSafe);
  const { status } = outcome.answer;
  const { wording } = actionsOf(bot.document);
  const worded = wordAnswer(action, outcome.answer, step.memory.values, wording);
  const proofFailed = worded.proofFailed && { proofFailed: true as const };
  const seen = { status, ...proofFailed, ...(worded.index !== undefined && { answer: worded.index }) };
  const isRefusal = status >= 400 && status < 500;
  if (!worded.ok) {
    const acted = without(worded.fault, !isSafe && !isRefusal, seen);
    return worded.proofFailed ? { ...acted, memory: memoryAfter(step, action.intent, "failed") } : acted;
  }
  const denied = worded.shown.length > 0 ? await denialIn(judge, bot, worded.shown) : undefined;
  if (denied !== undefined) return without("denied", !isSafe && !isRefusal, seen);
  const state =
    status >= 200 && status < 300 && !worded.proofFailed ? ("done" as const) : ("failed" as const);
  return {
    text: worded.text,
    isResult: true,
    memory: memoryAfter(step, action.intent, worded.proofFailed ? "failed" : "done"),
    receipt: { intent: action.intent, state, ...filledOf(step), call: { ...call, ...seen } },
    next: [],
    offersPerson: false,
  };
}

/** Who tries a bot out sees what would be called. */
function dry(action: CompiledAction, step: CallStep, { request }: CallOrder, call: CallReceipt): Acted {
  const { method, path, query, body } = request;
  const address = query === "" ? path : `${path}?${query}`;
  return {
    text: [`${method} ${address}`, ...(body === undefined ? [] : [body])]
      .map((line) => `\`${line}\``)
      .join(" "),
    isResult: false,
    memory: memoryAfter(step, action.intent, "done"),
    receipt: { intent: action.intent, state: "done", ...filledOf(step), call: { ...call, isDry: true } },
    next: [],
    offersPerson: false,
  };
}

/** What could have been meant otherwise is read back once: before the next question, or the answer. */
function withReadBack(acted: Acted, decided: DecidedMessage, { slots }: CompiledAction): Acted {
  const { wording } = actionsOf(decided.message.bot.document);
  const { memory } = acted;
  const doubtful = Object.entries(memory?.values ?? {}).filter(
    ([name, { isDoubtful }]) => isDoubtful && slots.some((slot) => slot.name === name),
  );
  if (memory === undefined || doubtful.length === 0) return acted;
  const said = doubtful.map(([, { type, value }]) =>
    wordsOf(decided).readBack.replace("{value}", () => slotInWords(type, value, undefined, wording)),
  );
  const read = doubtful.map(([name, { isDoubtful: _, ...value }]) => [name, value] as const);
  return {
    ...acted,
    text: [...said, acted.text].join(" "),
    memory: { ...memory, values: { ...memory.values, ...Object.fromEntries(read) } },
  };
}
