import { hash } from "node:crypto";

import { buildRequest } from "../../action/build-request.ts";
import { actionsOf, type CompiledAction } from "../../action/compile-action.ts";
import { CONFIRMATION_MS, type Step, withoutOnce } from "../../action/dialogue.ts";
import type { CallOrder, CallOutcome } from "../../action/endpoint-caller.ts";
import { wordAnswer, type WordedAnswer } from "../../action/word-answer.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { CallFault, CallReceipt } from "../../domain/action.ts";
import { newActionId } from "../../domain/ids.ts";
import type { ProofOutcome } from "../../store/interface/actions.ts";
import {
  type ActionResult,
  type ActParts,
  askedAction,
  confirmationText,
  askToConfirm,
  resultOf,
  failed,
  memoryAfter,
  type Performing,
  refused,
  wordsOf,
} from "./action-result.ts";
import { denialIn } from "./plan-action.ts";

type CallStep = Extract<Step, { kind: "call" }>;

/** A call to be made, and who makes it. */
interface Calling extends ActParts {
  decided: Performing;
  action: CompiledAction;
  step: CallStep;
  order: CallOrder;
}

/** Calls the endpoint, at most once per confirmation. */
export async function callEndpoint(
  parts: ActParts,
  decided: Performing,
  action: CompiledAction,
  step: CallStep,
): Promise<ActionResult> {
  const { endpoints } = parts;
  const request = buildRequest(action, step.memory.values);
  if (request === undefined) return refused(action, step, "unsafe-path");
  const order: CallOrder = {
    id: step.confirmed?.id ?? newActionId(parts.now(), parts.randomBytes),
    endpoint: action.endpoint,
    bot: decided.message.bot.id,
    conversation: decided.conversation.id,
    request,
    hasProof: action.proof.size >= 2,
  };
  const call: Calling = { ...parts, decided, action, step, order };
  const refusal = endpoints.refusalOf(order);
  if (refusal !== undefined) return refused(action, step, refusal, order.id);
  if (isOnlyObserved(decided)) return failed(action, step, { ...receiptFor(order), isDry: true });
  if (endpoints.isDry(order.conversation)) return wordsFor(call, await endpoints.call(order));
  const claim = step.confirmed && (await claimed(call, step.confirmed));
  if (claim === "void") {
    const { values } = step.memory;
    return askToConfirm(parts, decided, action, { ...step, kind: "confirm", memory: { values } });
  }
  if (claim === "begun") return unsure(call, { ...receiptFor(order), fault: "claimed" });
  // Only after claiming the action: otherwise a concurrent confirmation would undo this count.
  const proof = action.proof.size > 0 ? await reserveProof(call) : "reserved";
  if (proof !== "reserved") return unproved(call, proof);
  return endedCall(call, await endpoints.call(order));
}

const receiptFor = ({ id, endpoint, request: { method } }: CallOrder): CallReceipt => ({
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

/** Claims the confirmed action, with its present request and values. */
function claimed(
  { actions, now, decided, action, step, order }: Calling,
  confirmed: NonNullable<CallStep["confirmed"]>,
) {
  const text = confirmationText(decided, action, step.memory);
  return actions.claim(askedAction(action, order.request, confirmed, text), now() - CONFIRMATION_MS);
}

function reserveProof({ actions, now, decided, order }: Calling): Promise<ProofOutcome> {
  const { bot, caller = "" } = decided.message;
  const caller32 = hash("sha256", `${bot.id} ${caller}`, "buffer");
  return actions.reserveProof({
    id: order.id,
    conversation: order.conversation,
    caller: caller32,
    at: now(),
  });
}

/** Nothing is called. While others are tried, what was claimed may be confirmed once more. */
async function unproved(
  { actions, decided, action, step, order }: Calling,
  proof: Exclude<ProofOutcome, "reserved">,
): Promise<ActionResult> {
  const isConfirmed = step.confirmed !== undefined;
  if (proof === "busy") {
    if (isConfirmed) await actions.unclaim(order.id);
    const result = failed(action, step, { ...receiptFor(order), fault: "proofs-tried" });
    return isConfirmed ? { ...result, memory: step.memory } : result;
  }
  if (isConfirmed) await actions.end(order.id, "failed");
  return {
    ...failed(action, step, { ...receiptFor(order), fault: "too-many-proofs" }),
    text: wordsOf(decided).tooMany,
    isResult: false,
    offersPerson: true,
  };
}

/** The outcome of the call is unknown: it is not repeated automatically, and a person is offered. */
function unsure({ decided, action, step }: Calling, call: CallReceipt): ActionResult {
  const text = decided.message.bot.policy.texts.say("actionUnsure");
  const memory = { values: withoutOnce(step.memory.values) };
  return resultOf(action, step, { text, state: "unsure", call, memory, offersPerson: true });
}

/** The response to the endpoint's answer. Ends the claim, and counts the proof as failed or no longer. */
async function endedCall(call: Calling, outcome: CallOutcome): Promise<ActionResult> {
  const { actions, action, step, order } = call;
  const result = await wordsFor(call, outcome);
  const { state, call: made } = result.receipt!;
  if (action.proof.size > 0)
    await (made?.proofFailed ? actions.failProof(order.id) : actions.releaseProof(order.id));
  if (step.confirmed !== undefined) await actions.end(order.id, state as "done" | "failed" | "unsure");
  return result;
}

async function wordsFor(calling: Calling, outcome: CallOutcome): Promise<ActionResult> {
  const { judge, decided, action, step, order } = calling;
  const { bot } = decided.message;
  const isSafe = action.method === "GET";
  const call = { ...receiptFor(order), milliseconds: outcome.milliseconds };
  if (outcome.kind === "dry") return dry(calling, call);
  if (outcome.kind !== "answered") {
    const receipt = { ...call, fault: outcome.fault };
    return outcome.kind === "unknown" && !isSafe ? unsure(calling, receipt) : failed(action, step, receipt);
  }
  const { status } = outcome.answer;
  const worded = wordAnswer(action, outcome.answer, step.memory.values, actionsOf(bot.document).wording);
  const { proofFailed, index } = worded;
  const seen: CallReceipt = {
    ...call,
    status,
    ...(proofFailed && { proofFailed }),
    ...(index !== undefined && { answer: index }),
  };
  const memory = memoryAfter(step, action.intent, proofFailed ? "failed" : "done");
  const said = worded.ok ? await sayable(judge, bot, action, worded) : worded;
  if (said.fault !== undefined) {
    const receipt = { ...seen, fault: said.fault };
    const isRefusal = status >= 400 && status < 500;
    const result = isSafe || isRefusal ? failed(action, step, receipt) : unsure(calling, receipt);
    return proofFailed ? { ...result, memory } : result;
  }
  const isDone = status >= 200 && status < 300 && !proofFailed;
  return resultOf(action, step, { ...said, memory, state: isDone ? "done" : "failed", call: seen });
}

type Said = Pick<ActionResult, "text" | "satisfiesSchema"> & { fault?: never };

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
function dry({ action, step, order }: Calling, call: CallReceipt): ActionResult {
  const { method, path, query, body } = order.request;
  const address = query === "" ? path : `${path}?${query}`;
  const lines = [`${method} ${address}`, ...(body === undefined ? [] : [body])];
  const text = lines.map((line) => `\`${line}\``).join(" ");
  return resultOf(action, step, { text, isResult: false, state: "done", call: { ...call, isDry: true } });
}
