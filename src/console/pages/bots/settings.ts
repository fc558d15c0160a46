import type { ActionMethod, SlotType } from "../../../domain/action.ts";
import type { BotIntent } from "../../../domain/bot.ts";
import type { HandoffField, HandoffOffer } from "../../../domain/handoff.ts";
import type { CallableEndpoint } from "../../../domain/operator/bots.ts";
import type { Path } from "../../yaml/place.ts";
import { isFields, valueAt } from "../../yaml/plain.ts";

// Reads the values of a bot's forms from its text, and writes them there; pure. First slots and actions.

export const KINDS: readonly (readonly [SlotType, string])[] = [
  ["text", "text with a pattern, such as an order number"],
  ["integer", "a whole number"],
  ["number", "a number"],
  ["money", "an amount of money"],
  ["date", "a day"],
  ["time", "a time of day"],
  ["email", "an e-mail address"],
  ["phone", "a phone number"],
  ["choice", "one of several choices"],
  ["yesno", "yes or no"],
];

export const METHODS: readonly (readonly ["" | ActionMethod, string])[] = [
  ["", "GET: looks something up"],
  ["POST", "POST: does something"],
  ["PUT", "PUT: sets something"],
  ["PATCH", "PATCH: changes something"],
  ["DELETE", "DELETE: removes something"],
];

/** Slots of an intent at most, as in the domain; a test compares them. */
export const MAX_SLOTS = 10;

/** The first values of a new action. It begins with the first endpoint that the bot may call. */
export function newAction([first]: readonly CallableEndpoint[]) {
  const { name = "name-it", methods = [], paths = [] } = first ?? {};
  const [method = "GET"] = methods;
  return {
    endpoint: name,
    ...(!methods.includes("GET") && method !== "GET" && { method }),
    path: paths[0]?.split("*")[0] ?? "/",
    answers: [{ say: methods.includes("GET") || method === "GET" ? "Here is what I found." : "It is done." }],
    failure: "That did not work.",
  };
}
export const NEW_ANSWER = { when: { status: 404 }, say: "Nothing was found." };
export const NEW_CHOICES = [{ value: "first" }, { value: "second" }];

/** A slot that is not there yet, with the pattern that its kind needs. */
export function newSlot(others: readonly string[]) {
  const names = Array.from({ length: others.length + 1 }, (_, at) => `value${at + 1}`);
  const name = names.find((each) => !others.includes(each))!;
  return { name, type: "text", pattern: "[0-9]{5}", ask: "What is it?" };
}

/** Names that mean something else in braces; seeding refuses them. */
const TAKEN = new Set(["body", "status", "botName"]);

/** Why a slot cannot have a name; undefined if it can. */
export function slotNameFault(name: string, others: readonly string[]): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(name)) return "A letter, then letters, digits and _; 40 at most.";
  if (TAKEN.has(name)) return `{${name}} means something else.`;
  return others.includes(name) ? "Another value has this name." : undefined;
}

type Parsed = { value: unknown } | { fault: string };

/** A field of an answer, and what it has to be. */
const CONDITION = /^(status|body(?:\.[^.=\s]+)*)\s*=\s*(\S.*)$/s;
const VALUE = /\s*("(?:[^"\\]|\\.)*"|[^",]*[^",\s])\s*(?:,|$)/y;

/** Conditions of an answer, one a line: `status = 404`, `body.state = shipped, sent`. */
export function conditionsFrom(typed: string): Parsed {
  const conditions: Record<string, unknown> = {};
  for (const line of typed.split("\n").map((each) => each.trim())) {
    if (line === "") continue;
    const [, field, written = ""] = CONDITION.exec(line) ?? [];
    const values = valuesIn(written);
    if (field === undefined || values === undefined)
      return {
        fault: "Write one condition per line, for example status = 404 or body.state = shipped, sent.",
      };
    if (Object.hasOwn(conditions, field)) return { fault: `${field} is listed twice.` };
    conditions[field] = values.length === 1 ? values[0] : values;
  }
  return { value: Object.keys(conditions).length === 0 ? undefined : conditions };
}

export function conditionsAsText(when: unknown): string {
  if (!isFields(when)) return "";
  const written = Object.entries(when).map(([field, values]) => {
    const each = Array.isArray(values) ? values : [values];
    return `${field} = ${each.map(writtenValue).join(", ")}`;
  });
  return written.join("\n");
}

/** The values between commas; undefined if one is missing, or its quotation mark. */
function valuesIn(written: string): unknown[] | undefined {
  const values: unknown[] = [];
  VALUE.lastIndex = 0;
  while (VALUE.lastIndex < written.length) {
    const found = VALUE.exec(written);
    if (found === null) return undefined;
    values.push(valueOf(found[1]!));
  }
  return values.length === 0 || written.trimEnd().endsWith(",") ? undefined : values;
}

const NO_TEXT = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i;

function valueOf(written: string): unknown {
  if (!written.startsWith('"') && !NO_TEXT.test(written)) return written;
  try {
    return JSON.parse(written.startsWith('"') ? written : written.toLowerCase()) as unknown;
  } catch (error) {
    // A quoted text with an escape that JSON does not know, or figures such as 007, are taken as they are written.
    if (error instanceof SyntaxError) return written;
    throw error;
  }
}

/** Texts that would be read as something else stand in quotation marks. */
function writtenValue(value: unknown): string {
  if (typeof value !== "string") return String(value);
  const isPlain = /^[^",\s](?:[^",\n]*[^",\s])?$/.test(value) && valueOf(value) === value;
  return isPlain ? value : JSON.stringify(value);
}

/** A JSON object, or nothing. */
export function jsonFieldsFrom(typed: string): Parsed {
  if (typed.trim() === "") return { value: undefined };
  const fault = { fault: 'Write a JSON object, for example {"email": "{email}"}.' };
  try {
    const value: unknown = JSON.parse(typed);
    return isFields(value) ? { value } : fault;
  } catch (error) {
    if (error instanceof SyntaxError) return fault;
    throw error;
  }
}

export const jsonFieldsAsText = (value: unknown): string =>
  isFields(value) ? JSON.stringify(value, undefined, 2) : "";

/** An intent of a text that may have mistakes, with its position. */
export type AnIntent = Omit<Partial<BotIntent>, "name"> & { name: string; at: number };

/** The intents that have a name. */
export function intentsOf(value: unknown): AnIntent[] {
  const intents = valueAt(value, ["intents"]);
  if (!Array.isArray(intents)) return [];
  return intents.flatMap((intent, at) =>
    isFields(intent) && typeof intent["name"] === "string" ? [{ ...intent, name: intent["name"], at }] : [],
  );
}

export const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The entries of a list of a text that may have mistakes; none if no list stands there. */
export function entriesAt(value: unknown, path: Path): readonly unknown[] {
  const entries = valueAt(value, path);
  return Array.isArray(entries) ? entries : [];
}

/** The names of slots that have one. */
export function slotNamesOf(slots: readonly unknown[]): string[] {
  return slots.flatMap((slot) => (isFields(slot) && typeof slot["name"] === "string" ? slot["name"] : []));
}

export function addressOfIntent(bot: string, name?: string): string {
  const base = `/bots/${encodeURIComponent(bot)}/intents`;
  return name === undefined ? base : `${base}/${encodeURIComponent(name)}`;
}

/** The hand-off triggers and the fields of the contact form, in words. */
export const OFFERS: readonly (readonly [HandoffOffer, string])[] = [
  ["refused", "it refuses"],
  ["not_understood_twice", "it did not understand two messages in a row"],
  ["cap", "the monthly message cap is used up"],
  ["asked", "a visitor asks for a person, or for an intent that offers one"],
];
export const FIELDS: readonly (readonly [HandoffField, string])[] = [
  ["name", "name"],
  ["email", "e-mail address"],
  ["phone", "phone number"],
  ["message", "message"],
];
/** The default triggers, as in the domain; a test compares both. */
export const HANDOFF_OFFERS = OFFERS.map(([offer]) => offer);
export const USUAL_FIELDS: readonly HandoffField[] = ["name", "email", "message"];
