import type { CapabilityProfile } from "../../domain/bot.ts";
import type { ImproveGroup } from "../../domain/operator/improve.ts";
import { decidingPattern, matrixOf } from "../profile/matrix.ts";
import {
  addExamples,
  addIntent,
  addTest,
  removeExamples,
  removeIntent,
  setPattern,
} from "../yaml/bot-edits.ts";
import { readValue } from "../yaml/place.ts";
import { isFields, isSame, valueAt } from "../yaml/plain.ts";

/** The operator's choice for the messages of a group. */
export type Target =
  | { kind: "intent"; name: string }
  | { kind: "new"; name: string; label: string; answer: string; isAllowed: boolean };

/** The pattern of the bot file's schema. */
const INTENT_NAME = /^[a-z0-9]+([_-][a-z0-9]+)*(\.[a-z0-9]+([_-][a-z0-9]+)*)*$/;

/** The fault in a new intent's name, as a sentence; undefined if there is none. */
export function nameFault(name: string, known: readonly string[]): string | undefined {
  if (name === "") return "Enter a name.";
  if (!INTENT_NAME.test(name)) return "Use lower-case letters, digits, _ and -, with dots between parts.";
  return known.includes(name) ? "Another intent has this name." : undefined;
}

/** Names of the intents of a bot's text. */
export function intentNames(text: string): string[] {
  const intents = valueAt(readValue(text), ["intents"]);
  return Array.isArray(intents)
    ? intents.flatMap((intent) =>
        isFields(intent) && typeof intent["name"] === "string" ? [intent["name"]] : [],
      )
    : [];
}

/** The label of an intent, or else its description, or "". */
export function intentInWords(text: string, name: string): string {
  const intents = valueAt(readValue(text), ["intents"]);
  const intent: unknown = Array.isArray(intents)
    ? intents.find((each) => isFields(each) && each["name"] === name)
    : undefined;
  const words = isFields(intent) ? (intent["label"] ?? intent["description"]) : undefined;
  return typeof words === "string" ? words : "";
}

/** The status of an intent in the profile of a bot's text, also for a new intent. */
export function standingIn(text: string, intent: string) {
  const profile = valueAt(readValue(text), ["capabilityProfile"]) as CapabilityProfile | undefined;
  const row = matrixOf([intent], profile).groups[0]!.intents[0]!;
  return { standing: row.standing!, by: decidingPattern(row) };
}

/**
 * The bot's text with the messages added as examples; undefined if it cannot be edited. A new intent with an invalid name changes nothing.
 */
export function taught(text: string, messages: readonly string[], target: Target): string | undefined {
  if (messages.length === 0) return text;
  if (target.kind === "intent") return addExamples(text, target.name, messages);
  const { name, label, answer, isAllowed } = target;
  if (nameFault(name, intentNames(text)) !== undefined) return text;
  const intent = {
    name,
    ...(label !== "" && { label }),
    examples: [...messages],
    ...(answer !== "" && { responses: [answer] }),
  };
  const added = addIntent(text, intent);
  const needsAllowing = isAllowed && standingIn(text, name).standing === "unlisted";
  return added !== undefined && needsAllowing ? setPattern(added, "allow", name, true) : added;
}

/** The messages of a group that a draft already teaches. */
interface TaughtBefore {
  chosen: string[];
  target: Target;
  /** The draft without these messages. */
  base: string;
}

/** Finds these messages in a draft, for example after a reload; undefined: it teaches none of them. */
export function taughtBefore(
  draft: string,
  published: string,
  messages: readonly string[],
): TaughtBefore | undefined {
  if (draft === published) return undefined;
  const [now, before] = [readValue(draft), readValue(published)];
  for (const intent of intentsOf(now)) {
    const known = intentsOf(before).find(({ name }) => name === intent.name);
    const added = intent.examples.filter((example) => !known?.examples.includes(example));
    const chosen = messages.filter((message) => added.includes(message));
    if (chosen.length === 0) continue;
    const isAllowed = standingIn(draft, intent.name).standing !== "unlisted";
    const isNew = known === undefined && added.length === chosen.length;
    const target = (isNew ? asForm(intent, isAllowed) : undefined) ?? {
      kind: "intent" as const,
      name: intent.name,
    };
    const wasAllowed = allowsByName(before, intent.name);
    const base = untaught(draft, chosen, target, wasAllowed);
    if (base === undefined) return undefined;
    return { chosen, target, base: isSame(readValue(base), before) ? published : base };
  }
  return undefined;
}

interface WrittenIntent {
  name: string;
  examples: string[];
  fields: Record<string, unknown>;
}

function intentsOf(bot: unknown): WrittenIntent[] {
  const intents = valueAt(bot, ["intents"]);
  return (Array.isArray(intents) ? intents : []).flatMap((fields) => {
    if (!isFields(fields) || typeof fields["name"] !== "string") return [];
    const examples = Array.isArray(fields["examples"]) ? fields["examples"] : [];
    return [{ name: fields["name"], examples: examples.filter((each) => typeof each === "string"), fields }];
  });
}

function allowsByName(bot: unknown, name: string): boolean {
  const allow = valueAt(bot, ["capabilityProfile", "allow"]);
  return Array.isArray(allow) && allow.includes(name);
}

/** A new intent as form values; undefined if it has more fields than the form. */
function asForm({ fields }: WrittenIntent, isAllowed: boolean): Target | undefined {
  const { name, label = "", examples: _, responses = [], ...more } = fields;
  const [answer = "", ...others]: unknown[] = Array.isArray(responses) ? responses : [responses];
  if (typeof name !== "string" || typeof label !== "string" || typeof answer !== "string") return undefined;
  if (Object.keys(more).length > 0 || others.length > 0) return undefined;
  return { kind: "new", name, label, answer, isAllowed };
}

function untaught(
  draft: string,
  messages: readonly string[],
  { kind, name }: Target,
  wasAllowed: boolean,
): string | undefined {
  if (kind === "intent") return removeExamples(draft, name, messages);
  const without = removeIntent(draft, name);
  return without === undefined || wasAllowed ? without : setPattern(without, "allow", name, false);
}

/** A bot's text with tests that expect no intent for these messages. */
export function outOfScope(text: string, messages: readonly string[]): string | undefined {
  let tested: string | undefined = text;
  for (const utterance of messages)
    tested = tested === undefined ? undefined : addTest(tested, { utterance, decision: "no_intent_match" });
  return tested;
}

/**
 * Number of messages selected at first: the most typical ones, in the server's order. About ten examples make an intent; more similar ones
 * add little. For unhelpful or likely wrong messages nothing is selected if there are several, because they share only the intent that
 * answered them.
 */
const CHOSEN_AT_FIRST = 7;

export function firstChoice({ kind, messages }: Pick<ImproveGroup, "kind" | "messages">): string[] {
  if ((kind === "unhelpful" || kind === "wrong") && messages.length > 1) return [];
  return messages.slice(0, CHOSEN_AT_FIRST).map(({ text }) => text);
}

/** Four or more digits in a row, or an e-mail address: possibly personal data. */
const MAY_BE_PERSONAL = /\d[\d ]{2,}\d|\S@\S/;

/** The kind of personal data in a message, in a word; undefined: none found. */
export function personalPart(message: string): string | undefined {
  if (!MAY_BE_PERSONAL.test(message)) return undefined;
  return /\S@\S/.test(message) ? "address" : "number";
}

/** A suggested name for a new intent, from the longest words of its typical message; "" if these have no Latin letters. */
export function suggestedName(message: string): string {
  const words: string[] =
    message
      .toLowerCase()
      .normalize("NFD")
      .match(/[a-z0-9]{4,}/g) ?? [];
  const longest = new Set(words.toSorted((one, other) => other.length - one.length).slice(0, 2));
  return words.filter((word, at) => longest.has(word) && words.indexOf(word) === at).join("_");
}
