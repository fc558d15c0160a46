import { type ActionRequest, buildRequest, type SlotValues } from "../action/build-request.ts";
import { type BotActions, actionsOf, type CompiledAction } from "../action/compile-action.ts";
import { type CallOutcome, ConfiguredEndpoints } from "../action/endpoint-caller.ts";
import { readSlot } from "../action/slots/read-slot.ts";
import { wordAnswer } from "../action/word-answer.ts";
import type { Endpoints } from "../config/endpoints.ts";
import { CALL_FAULTS, type CallFault } from "../domain/action.ts";
import type { BotDocument } from "../domain/bot.ts";
import { didYouMean } from "../domain/closest-name.ts";
import { type ConversationId, newActionId, type RandomBytes } from "../domain/ids.ts";
import type { Environment } from "../domain/os-user.ts";
import type { EpochMs } from "../domain/time.ts";
import { compileOutputPolicy } from "../governance/output/output-policy.ts";

/** An action to test, with the request it would send. */
export interface ActionToTest {
  bot: BotDocument;
  action: CompiledAction;
  values: SlotValues;
  request: ActionRequest;
}

/** The result, without values of environment variables. */
export interface ActionReport {
  endpoint: string;
  method: string;
  /** Including the query. */
  path: string;
  body?: unknown;
  status?: number;
  milliseconds?: number;
  /** The bot's answer. */
  says?: string;
  /** Why no request was sent, or why its answer cannot be used. */
  fault?: string;
}

/** Unknown slots or intent; `message` is for operators. */
export class ActionInputError extends Error {
  override name = "ActionInputError";
}

/**
 * Prepares the action of an intent with values as a visitor would write them.
 *
 * @throws ActionInputError if the action or a slot does not exist, or a value is invalid, missing or not allowed in the path
 */
export function prepareAction(
  bot: BotDocument,
  intent: string,
  given: ReadonlyMap<string, string>,
  now: EpochMs,
): ActionToTest {
  const actions = actionsOf(bot);
  const action = [...actions.byIntent.values()].find((one) => one.intent === intent);
  if (action === undefined) {
    if (bot.intents?.some(({ name }) => name === intent))
      throw new ActionInputError(`the intent \`${intent}\` has no action`);
    const names = [...actions.byIntent.keys()];
    throw new ActionInputError(`no intent \`${intent}\` with an action${didYouMean(intent, names)}`);
  }
  const names = action.slots.map(({ name }) => name);
  const unknown = [...given.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ActionInputError(`no slot \`${unknown}\`${didYouMean(unknown, names)}`);
  const values = valuesOf(action, actions, given, now);
  const request = buildRequest(action, values);
  if (request === undefined) throw new ActionInputError(CALL_FAULTS["unsafe-path"]);
  return { bot, action, values, request };
}

function valuesOf(
  { slots }: CompiledAction,
  { wording }: BotActions,
  given: ReadonlyMap<string, string>,
  now: EpochMs,
): SlotValues {
  const entries = slots.flatMap((slot) => {
    const text = given.get(slot.name);
    if (text === undefined) {
      if (slot.optional) return [];
      throw new ActionInputError(`the slot \`${slot.name}\` is missing: --slot ${slot.name}=…`);
    }
    const [reading, ...others] = readSlot(text, slot, { ...wording, now, isAsked: true });
    if (reading === undefined || others.length > 0) {
      const isNot =
        slot.pattern === undefined
          ? `is no ${slot.type} for`
          : `does not match the pattern ${slot.pattern} of`;
      throw new ActionInputError(`${JSON.stringify(text)} ${isNot} the slot \`${slot.name}\``);
    }
    return [[slot.name, { type: slot.type, value: reading.value }] as const];
  });
  return Object.fromEntries(entries);
}

/** Describes the request without sending it. Pure. */
export function describeRequest({ action, request }: ActionToTest): ActionReport {
  const { method, path, query, body } = request;
  return {
    endpoint: action.endpoint,
    method,
    path: query === "" ? path : `${path}?${query}`,
    ...(body !== undefined && { body: JSON.parse(body) as unknown }),
  };
}

/** Calls the endpoint and formulates the bot's answer. Output denials of the profile are not applied. */
export async function callAction(
  test: ActionToTest,
  endpoints: Endpoints,
  {
    env,
    now,
    randomBytes,
  }: {
    env: Environment;
    now: () => EpochMs;
    randomBytes: RandomBytes;
  },
): Promise<ActionReport> {
  const { bot, action, values, request } = test;
  const caller = new ConfiguredEndpoints(endpoints, { env, now });
  const outcome = await caller.call({
    id: newActionId(now(), randomBytes),
    endpoint: action.endpoint,
    bot: bot.id,
    conversation: "" as ConversationId,
    request,
    hasProof: action.proof.size >= 2,
  });
  return {
    ...describeRequest(test),
    milliseconds: outcome.milliseconds,
    ...saidOf(bot, action, values, outcome),
  };
}

function saidOf(
  bot: BotDocument,
  action: CompiledAction,
  values: SlotValues,
  outcome: CallOutcome,
): Pick<ActionReport, "status" | "says" | "fault"> {
  const faultOf = (fault: CallFault) => ({ fault: CALL_FAULTS[fault] });
  if (outcome.kind === "dry") return {};
  if (outcome.kind !== "answered") return faultOf(outcome.fault);
  const { status } = outcome.answer;
  const worded = wordAnswer(action, outcome.answer, values, actionsOf(bot).wording);
  if (!worded.ok) return { status, ...faultOf(worded.fault) };
  const checked = compileOutputPolicy(bot).ruleFor(action.intent)?.enforce(worded.text);
  if (checked === undefined) return { status, says: worded.text };
  if (checked.valid) return { status, says: checked.response };
  return { status, fault: `${CALL_FAULTS["not-in-schema"]}: ${checked.error}` };
}
