import { type Static, Type } from "@sinclair/typebox";

import { IntentName } from "./ids.ts";
import { listOf, named, namedStrict, oneOf, optionalFlag, strictObject, textUpTo } from "./schemas.ts";

// The values that an intent asks a visitor for, and the call to an operator's endpoint made with them.

/** A name that may be used in braces. */
export const SLOT_NAME_PATTERN = "^[A-Za-z][A-Za-z0-9_]{0,39}$";

/** Types of slots. */
export const SLOT_TYPES = [
  "text",
  "integer",
  "number",
  "money",
  "date",
  "time",
  "email",
  "phone",
  "choice",
  "yesno",
] as const;
export const SlotType = oneOf(SLOT_TYPES, {
  description: "text, integer, number, money, date, time, email, phone, choice, yesno",
});
export type SlotType = Static<typeof SlotType>;

const SlotChoice = strictObject({
  value: textUpTo(200, "What the endpoint gets"),
  label: Type.Optional(textUpTo(120, "What a button says (default: the value)")),
  synonyms: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
      maxItems: 50,
      description: "Other words for it",
    }),
  ),
});
export type SlotChoice = Static<typeof SlotChoice>;

/** A value that an action needs from the visitor. */
export const Slot = namedStrict("Slot", {
  name: Type.String({
    pattern: SLOT_NAME_PATTERN,
    description: "A letter, then letters, digits and `_`; written in braces where the value is used",
  }),
  type: SlotType,
  ask: Type.Optional(
    textUpTo(2000, "The question, asked if the visitor has not given the value; `{botName}` is replaced"),
  ),
  pattern: Type.Optional(textUpTo(500, "Regular expression of the whole value; required for the type text")),
  choices: Type.Optional(
    Type.Array(SlotChoice, { minItems: 2, maxItems: 20, description: "What a choice is among" }),
  ),
  optional: optionalFlag("true: used if the visitor gives it, and never asked for"),
  remember: optionalFlag("false: asked for again each time within a conversation (default true)"),
});
export type Slot = Static<typeof Slot>;

const AnswerCondition = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

const ActionAnswer = strictObject({
  when: Type.Optional(
    Type.Record(Type.String(), Type.Union([AnswerCondition, Type.Array(AnswerCondition)]), {
      description:
        "All of them have to hold: `status`, and fields of the answer as `body.state`; a list is any of it. Absent: any answer of status 200 to 299",
    }),
  ),
  say: textUpTo(
    2000,
    "The answer in that case; `{slot}`, `{body.field}` and `{body.field, format}` are replaced",
  ),
  proofFailed: optionalFlag("true: the visitor has not shown that the matter is theirs"),
});
export type ActionAnswer = Static<typeof ActionAnswer>;

export const ACTION_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export const ActionMethod = oneOf(ACTION_METHODS, {
  description: "GET (the default), POST, PUT, PATCH, DELETE",
});
export type ActionMethod = Static<typeof ActionMethod>;

/** The call of an intent, and the responses to its results. */
export const ActionSettings = namedStrict("ActionSettings", {
  endpoint: textUpTo(100, "Name of an endpoint of the server's configuration"),
  method: Type.Optional(ActionMethod),
  path: Type.String({
    pattern: "^/",
    maxLength: 2000,
    description: "Path and query below the endpoint's address; `{slot}` is replaced, and encoded",
  }),
  body: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "JSON that is sent; `{slot}` in its texts is replaced",
    }),
  ),
  proof: Type.Optional(
    Type.Array(Type.String({ pattern: SLOT_NAME_PATTERN }), {
      uniqueItems: true,
      maxItems: 10,
      description:
        "At least two slots by which the endpoint sees that the matter is the visitor's; an endpoint with `public: true` needs none",
    }),
  ),
  confirm: Type.Optional(textUpTo(2000, "Asked before the call; needed by every method but GET")),
  answers: Type.Array(ActionAnswer, {
    minItems: 1,
    maxItems: 50,
    description: "What the bot says about the endpoint's answer; the first entry that matches is used",
  }),
  failure: textUpTo(2000, "Said if nothing was done"),
});
export type ActionSettings = Static<typeof ActionSettings>;

/** Slots of an intent at most. */
export const MAX_SLOTS = 10;

/** Where a value came from: the message that asked, an earlier one, or the answer to a question. */
export const SlotSource = oneOf(["message", "earlier", "reply"]);
export type SlotSource = Static<typeof SlotSource>;

/** Treatment of an ambiguous value: show the visitor how it was read, or ask whether that is right. */
export const ReadingDoubt = oneOf(["tell", "ask"]);
export type ReadingDoubt = Static<typeof ReadingDoubt>;

/** A value that a visitor gave. */
export const SlotValue = Type.Object({
  type: SlotType,
  /** As it is sent: digits with a point, ISO 8601 dates and times, E.164, the value of a choice, `true` or `false`. */
  value: Type.String(),
  from: SlotSource,
  /** Belongs to a proof: forgotten a while after the visitor's last message. */
  isProof: Type.Optional(Type.Literal(true)),
  /** Forgotten with the asking. */
  isOnce: Type.Optional(Type.Literal(true)),
  /** It could have been read in another way, and has not been read back yet. */
  doubt: Type.Optional(ReadingDoubt),
});
export type SlotValue = Static<typeof SlotValue>;

/** The question that waits for an answer, or the answer that the next message may refer to. */
export const OpenQuestion = Type.Object({
  intent: IntentName,
  /** The slot that was asked for; absent if a confirmation was asked for. */
  slot: Type.Optional(Type.String()),
  /** The slot has a value, which was read back: a yes or no is awaited. */
  readsBack: Type.Optional(Type.Literal(true)),
  /** The action that was to be confirmed: its id, the key of its hash, and when it was asked. */
  confirm: Type.Optional(Type.Object({ id: Type.String(), key: Type.String(), at: Type.Number() })),
  /** Nothing is asked: the action was called, and its proof was right or not. Other values call it again. */
  answered: Type.Optional(oneOf(["done", "failed"])),
  /** Answers in a row that were none. */
  wrong: Type.Integer(),
});
export type OpenQuestion = Static<typeof OpenQuestion>;

/**
 * State of a conversation's actions after a turn. It is stored and deleted with the turn's texts. Without `values`, it contains nothing
 * from the visitor.
 */
export const ActionMemory = Type.Object({
  /** By the name of the slot. */
  values: Type.Record(Type.String(), SlotValue),
  open: Type.Optional(OpenQuestion),
});
export type ActionMemory = Static<typeof ActionMemory>;

/** How long after the visitor's last message values of a proof, and a question, are remembered. */
export const PROOF_MS = 15 * 60_000;

/** Values that belong to no proof. Pure. */
export function withoutProofs(values: ActionMemory["values"]): ActionMemory["values"] {
  return Object.fromEntries(Object.entries(values).filter(([, { isProof }]) => !isProof));
}

export const ACTION_STATES = ["asking", "confirm", "done", "failed", "unsure"] as const;
export type ActionState = (typeof ACTION_STATES)[number];

/** An action's part of a turn's metadata. */
export const ActionMetadata = named("ActionMetadata", {
  name: IntentName,
  state: oneOf(ACTION_STATES, {
    description:
      "asking: a slot was asked for; confirm: a yes is awaited; done, failed: the endpoint answered, or nothing was done; unsure: it is unknown whether it was done",
  }),
  slot: Type.Optional(Type.String({ description: "The slot that was asked for" })),
});
export type ActionMetadata = Static<typeof ActionMetadata>;

/** How long a call to an endpoint may take at most, as its configuration says. */
export const MAX_CALL_MS = 30_000;

/** Why nothing was called, or no answer was used; in words of the receipt. */
export const CALL_FAULTS = {
  "unknown-endpoint": "the configuration has no such endpoint",
  "not-allowed": "the endpoint is not for this bot, method or path",
  "unsafe-path": "a value cannot stand in the path",
  "needs-proof": "the endpoint is not public, and the action has no proof",
  "no-secret": "a variable of the environment is not set",
  "too-many-proofs": "too many proofs have failed",
  "proofs-tried": "other proofs are being tried, and as many as may fail",
  "not-reached": "no connection",
  "private-address": "the host has a private address",
  "breaker-open": "the endpoint keeps failing; it is left alone for a while",
  busy: "too many calls wait for the endpoint",
  timeout: "no answer in time",
  broken: "the connection broke off",
  "too-large": "the answer is too large",
  "not-json": "the answer is no JSON",
  packed: "the answer is packed, which was not asked for",
  claimed: "the same action was begun before",
  expired: "the confirmation was too old, or the action has changed",
  "no-match": "no entry of `answers` matches",
  "no-words": "the answer has not what the entry of `answers` says",
  denied: "the profile denies what the answer would say",
  "not-in-schema": "what would be said fails the output schema",
} as const;
export type CallFault = keyof typeof CALL_FAULTS;

/** A call to an endpoint, without a value of a visitor. */
export const CallReceipt = Type.Object({
  /** The action's id, which is its `Idempotency-Key`. */
  id: Type.String(),
  endpoint: Type.String(),
  method: ActionMethod,
  /** Absent if no answer came. */
  status: Type.Optional(Type.Integer()),
  milliseconds: Type.Number(),
  fault: Type.Optional(oneOf(Object.keys(CALL_FAULTS) as CallFault[])),
  /** The entry of `answers` that was used, from 0. */
  answer: Type.Optional(Type.Integer()),
  proofFailed: Type.Optional(Type.Literal(true)),
  /** Nothing was sent: observe mode, or an operator tries the bot out. */
  isDry: Type.Optional(Type.Literal(true)),
});
export type CallReceipt = Static<typeof CallReceipt>;

/** An action's part of a receipt, without values of a visitor. */
export const ActionReceipt = Type.Object({
  intent: IntentName,
  /** Absent if the visitor ended it, or got another answer in between. */
  state: Type.Optional(oneOf(ACTION_STATES)),
  /** The slot that was asked for. */
  slot: Type.Optional(Type.String()),
  /** Which slots this turn filled, and from where. */
  filled: Type.Optional(listOf(Type.Object({ slot: Type.String(), from: SlotSource }))),
  /** The id of the action that a yes is awaited for. */
  confirms: Type.Optional(Type.String()),
  ended: Type.Optional(oneOf(["cancelled", "person", "goodbye"])),
  /** The message was not accepted as an answer. */
  wrong: Type.Optional(Type.Literal(true)),
  /** Values that were joined are denied. */
  denied: Type.Optional(Type.Literal(true)),
  call: Type.Optional(CallReceipt),
});
export type ActionReceipt = Static<typeof ActionReceipt>;

/** An action's part of a turn's metadata. Pure. */
export function actionMetadataOf(receipt: ActionReceipt | undefined): { action?: ActionMetadata } {
  if (receipt?.state === undefined) return {};
  const { intent: name, state, slot } = receipt;
  return { action: { name, state, ...(slot !== undefined && { slot }) } };
}
