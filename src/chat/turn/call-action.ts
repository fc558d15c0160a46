import { hash } from "node:crypto";

import { type ActionRequest, buildRequest } from "../../action/build-request.ts";
import { actionsOf, type CompiledAction } from "../../action/compile-action.ts";
import { CONFIRMATION_MS, type Step, withoutOnce } from "../../action/dialogue.ts";
import type { CallOrder, CallOutcome } from "../../action/endpoint-caller.ts";
import { wordAnswer, type WordedAnswer } from "../../action/word-answer.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { CallFault, CallReceipt } from "../../domain/action.ts";
import { newActionId } from "../../domain/ids.ts";
import type { ProofOutcome } from "../../store/interface/actions.ts";
import {
  type Acted,
  type ActParts,
  askedAction,
  confirmationText,
  confirming,
  failed,
  filledOf,
  memoryAfter,
  type Performing,
  refused,
  wordsOf,
} from "./confirm-action.ts";
import type { DecidedMessage } from "./decided-message.ts";
import { denialIn } from "./plan-action.ts";

type CallStep = Extract<Step, { kind: "call" }>;

/** The outcome of the call is unknown: it is not repeated automatically, and a person is offered. */
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

/** Calls the endpoint, at most once per confirmation. */
export async function calling(
  parts: ActParts,
  decided: Performing,
  action: CompiledAction,
  step: CallStep,
): Promise<Acted> {
  const { bot } = decided.message;
  const request = buildRequest(action, step.memory.values);
  if (request === undefined) return refused(action, step, "unsafe-path");
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
  if (refusal !== undefined) return refused(action, step, refusal, id);
  if (isOnlyObserved(decided)) return failed(action, step, { ...callOf(order), isDry: true });
  if (parts.endpoints.isDry(decided.conversation.id))
    return endedCall(parts, decided, action, step, { order, outcome: await parts.endpoints.call(order) });
  const claim = step.confirmed && (await claimed(parts, decided, action, step, request));
  if (claim === "void") {
    const { values } = step.memory;
    return confirming(parts, decided, action, { ...step, kind: "confirm", memory: { values } });
  }
  if (claim === "begun") return unsure(decided, action, step, { ...callOf(order), fault: "claimed" });
  // Only after claiming the action: otherwise a concurrent confirmation would take back this count.
  const proof = action.proof.size > 0 ? await reserveProof(parts, decided, id) : "reserved";
  if (proof !== "reserved") return unproved(parts, decided, action, step, { order, proof });
  const outcome = await parts.endpoints.call(order);
  return endedCall(parts, decided, action, step, { order, outcome });
}

const callOf = ({ id, endpoint, request: { method } }: CallOrder) => ({
  id,
  endpoint,
  method,
  milliseconds: 0,
});

/** In observe mode, a call that enforcement would restrict is not made. */
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
): Promise<ProofOutcome> {
  const caller32 = hash("sha256", `${bot.id} ${caller}`, "buffer");
  return actions.reserveProof({ id, conversation: conversation.id, caller: caller32, at: now() });
}

/** Nothing is called. While others are tried, what was claimed may be confirmed once more. */
async function unproved(
  { actions }: Pick<ActParts, "actions">,
  decided: DecidedMessage,
  action: CompiledAction,
  step: CallStep,
  { order, proof }: { order: CallOrder; proof: Exclude<ProofOutcome, "reserved"> },
): Promise<Acted> {
  if (proof === "busy") {
    if (step.confirmed !== undefined) await actions.unclaim(order.id);
    const acted = failed(action, step, { ...callOf(order), fault: "proofs-tried" });
    return step.confirmed === undefined ? acted : { ...acted, memory: step.memory };
  }
  if (step.confirmed !== undefined) await actions.end(order.id, "failed");
  return {
    ...failed(action, step, { ...callOf(order), fault: "too-many-proofs" }),
    text: wordsOf(decided).tooMany,
    isResult: false,
    offersPerson: true,
  };
}

/** Claims the confirmed action, with its present request and values. */
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

/** The response to the endpoint's answer. Ends the claim, and counts the proof as failed or no longer. */
async function endedCall(
  parts: ActParts,
  decided: Performing,
  action: CompiledAction,
  step: CallStep,
  called: Called,
): Promise<Acted> {
  const { order } = called;
  const acted = await wordsFor(parts, decided, action, step, called);
  if (parts.endpoints.isDry(order.conversation)) return acted;
  const { state, call } = acted.receipt!;
  if (action.proof.size > 0)
    await (call?.proofFailed ? parts.actions.failProof(order.id) : parts.actions.releaseProof(order.id));
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
    return isDone ? unsure(decided, action, step, receipt) : failed(action, step, receipt);
  };
  if (outcome.kind === "dry") return dry(action, step, order, call);
  if (outcome.kind !== "answered") return without(outcome.fault, outcome.kind === "unknown" && !isSafe);
  const { status } = outcome.answer;
  const { wording } = actionsOf(bot.document);
  const worded = wordAnswer(action, outcome.answer, step.memory.values, wording);
  const proofFailed = worded.proofFailed && { proofFailed: true as const };
  const seen = { status, ...proofFailed, ...(worded.index !== undefined && { answer: worded.index }) };
  const isRefusal = status >= 400 && status < 500;
  const said = worded.ok ? await sayable(judge, bot, action, worded) : worded;
  if (said.fault !== undefined) {
    const acted = without(said.fault, !isSafe && !isRefusal, seen);
    return worded.proofFailed ? { ...acted, memory: memoryAfter(step, action.intent, "failed") } : acted;
  }
  const state =
    status >= 200 && status < 300 && !worded.proofFailed ? ("done" as const) : ("failed" as const);
  return {
    ...said,
    isResult: true,
    memory: memoryAfter(step, action.intent, worded.proofFailed ? "failed" : "done"),
    receipt: { intent: action.intent, state, ...filledOf(step), call: { ...call, ...seen } },
    next: [],
    offersPerson: false,
  };
}

type Said = Pick<Acted, "text" | "satisfiesSchema"> & { fault?: never };

/** The response, checked against the profile's denials and the intent's schema. */
async function sayable(
  judge: ActParts["judge"],
  bot: LoadedBot,
  { intent }: CompiledAction,
  { text, shown }: Extract<WordedAnswer, { ok: true }>,
): Promise<Said | { fault: CallFault }> {
  const denied = shown.length > 0 ? await denialIn(judge, bot, shown) : undefined;
  if (denied !== undefined) return { fault: "denied" };
  const checked = bot.outputRuleFor(intent)?.enforce(text);
  if (checked === undefined) return { text };
  return checked.valid ? { text: checked.response, satisfiesSchema: true } : { fault: "not-in-schema" };
}

/** In a trial the operator sees the call that would be made. */
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
