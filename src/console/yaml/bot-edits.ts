import type { BotTest } from "../../domain/bot-test.ts";
import type { BotIntent } from "../../domain/bot.ts";
import { editYaml, type OrderOf } from "./edit.ts";
import { readValue, type Path } from "./place.ts";
import { type Edit, isFields, valueAt } from "./plain.ts";

/** The order of fields in the documentation; a new field is placed accordingly. */
const ROOT = [
  "id",
  "name",
  "enabled",
  "allowedDomains",
  "language",
  "welcomeMessage",
  "monthlyMessageCap",
  "monthlyTokenBudget",
  "rateLimit",
  "maxInputLength",
  "instructions",
  "social",
  "texts",
  "knowledge",
  "capabilityProfile",
  "classifier",
  "responder",
  "outputSchema",
  "fallbackResponse",
  "handoff",
  "avatarUrl",
  "tagline",
  "legal",
  "launcher",
  "theme",
  "suggestedQuestions",
  "suggestedQuestionsStyle",
  "template",
  "poweredByRequired",
  "intents",
  "defaultIntent",
  "tests",
];
const INTENT = [
  "name",
  "label",
  "description",
  "examples",
  "slots",
  "action",
  "responses",
  "next",
  "handoff",
  "guidance",
  "responder",
  "outputSchema",
  "fallbackResponse",
];
const SLOT = ["name", "type", "pattern", "choices", "ask", "optional", "remember"];
const ACTION = ["endpoint", "method", "path", "body", "proof", "confirm", "answers", "failure"];
const PROFILE = ["allow", "deny", "denyTerms", "denyPatterns", "mode", "refusals"];

const orderOf: OrderOf = (path) => {
  if (path.length === 0) return ROOT;
  if (path[0] === "intents" && path.length === 2) return INTENT;
  if (path[0] === "intents" && path[2] === "action" && path.length === 3) return ACTION;
  if (path[0] === "intents" && path[2] === "slots" && path.length === 4) return SLOT;
  return path[0] === "capabilityProfile" && path.length === 1 ? PROFILE : undefined;
};

/** Applies edits to a bot's text; undefined if one cannot be applied. */
export function editBot(text: string, ...edits: readonly Edit[]): string | undefined {
  let edited: string | undefined = text;
  for (const edit of edits) edited = edited === undefined ? undefined : editYaml(edited, edit, orderOf);
  return edited;
}

/**
 * Sets a field. Undefined or an empty text removes it, and a map that becomes empty is removed, too, except `handoff`: an empty one still
 * offers a person.
 */
export function setField(text: string, path: Path, value: unknown): string | undefined {
  if (value !== undefined && value !== "") return editBot(text, { kind: "set", path, value });
  if (isLastOfHandoff(text, path)) return editBot(text, { kind: "set", path: ["handoff"], value: {} });
  return editBot(text, { kind: "remove", path });
}

function isLastOfHandoff(text: string, [root, field, ...rest]: Path): boolean {
  if (root !== "handoff" || field === undefined || rest.length > 0) return false;
  const handoff = valueAt(readValue(text), [root]);
  return isFields(handoff) && Object.keys(handoff).length === 1 && Object.hasOwn(handoff, field);
}

/** Position of an intent in a bot's text, or -1. */
export function intentAt(text: string, name: string): number {
  const intents = valueAt(readValue(text), ["intents"]);
  return Array.isArray(intents)
    ? intents.findIndex((intent) => isFields(intent) && intent["name"] === name)
    : -1;
}

/** An intent from a form, with an unchecked name. */
export type NewIntent = Omit<BotIntent, "name"> & { name: string };

export function addIntent(text: string, intent: NewIntent): string | undefined {
  return editBot(text, { kind: "append", path: ["intents"], values: [intent] });
}

export function removeIntent(text: string, name: string): string | undefined {
  const at = intentAt(text, name);
  return at < 0 ? text : editBot(text, { kind: "remove", path: ["intents", at] });
}

/** Adds the examples that the intent does not have yet; undefined if there is no such intent. */
export function addExamples(text: string, name: string, examples: readonly string[]): string | undefined {
  const at = intentAt(text, name);
  if (at < 0) return undefined;
  const path = ["intents", at, "examples"];
  const known = valueAt(readValue(text), path);
  const has = new Set(Array.isArray(known) ? known : []);
  const values = [...new Set(examples)].filter((example) => !has.has(example));
  return values.length === 0 ? text : editBot(text, { kind: "append", path, values });
}

/** Removes examples from an intent; undefined if the text cannot be edited for it. */
export function removeExamples(text: string, name: string, examples: readonly string[]): string | undefined {
  const path = ["intents", intentAt(text, name), "examples"];
  const known = valueAt(readValue(text), path);
  if (!Array.isArray(known)) return text;
  // From the end, so that earlier positions stay valid.
  const places = known.flatMap((each, at) => (examples.includes(each) ? [at] : [])).toReversed();
  return editBot(text, ...places.map((at): Edit => ({ kind: "remove", path: [...path, at] })));
}

/** A test of one message, with an unchecked intent. */
type NewTest = Pick<Extract<BotTest, { utterance: string }>, "utterance" | "decision"> & {
  intent?: string | null;
};

/** Adds a test, unless there is one with the same message. */
export function addTest(text: string, test: NewTest): string | undefined {
  const tests = valueAt(readValue(text), ["tests"]);
  const isThere =
    Array.isArray(tests) && tests.some((other) => isFields(other) && other["utterance"] === test.utterance);
  return isThere ? text : editBot(text, { kind: "append", path: ["tests"], values: [test] });
}

/**
 * Adds a pattern to a list of the capability profile, or removes it. An empty `allow` list stays and allows nothing, because without the
 * list everything would be allowed. An empty `deny` list is removed.
 */
export function setPattern(
  text: string,
  list: "allow" | "deny",
  pattern: string,
  isOn: boolean,
): string | undefined {
  const path = ["capabilityProfile", list];
  const patterns = valueAt(readValue(text), path);
  const at = Array.isArray(patterns) ? patterns.indexOf(pattern) : -1;
  if (isOn) return at >= 0 ? text : editBot(text, { kind: "append", path, values: [pattern] });
  if (at < 0) return text;
  const isEmptied = list === "deny" && Array.isArray(patterns) && patterns.length === 1;
  return editBot(text, { kind: "remove", path: isEmptied ? path : [...path, at] });
}
