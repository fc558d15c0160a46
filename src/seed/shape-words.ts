import type { TSchema } from "@sinclair/typebox";

import { INTENT_PATTERN_PATTERN } from "../domain/bot.ts";
import { BOT_ID_PATTERN, INTENT_NAME_PATTERN } from "../domain/ids.ts";
import { PATH_PREFIX_PATTERN } from "../domain/knowledge.ts";

const KINDS: Record<string, string> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping of fields",
  null: "null",
};

/** What a schema asks for, in words: "a whole number", "the text `scripted`". */
export function expectedKind(schema: TSchema): string {
  if (schema["const"] !== undefined) return `\`${String(schema["const"])}\``;
  return KINDS[String(schema["type"])] ?? "something else";
}

/** What was found instead, in words, with a hint where YAML is known to surprise. */
export function foundKind(value: unknown, expected?: TSchema): string {
  const wantsText = expected?.["type"] === "string";
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") {
    return wantsText
      ? "a mapping of fields (text that contains `: ` must stand in quotes)"
      : "a mapping of fields";
  }
  if (typeof value === "string") return `the text ${JSON.stringify(shortened(value))}`;
  const kind = typeof value === "number" ? `the number ${value}` : JSON.stringify(value);
  return wantsText ? `${kind} (put it in quotes)` : kind;
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

const HEX_COLOUR = "^#[0-9a-fA-F]{6}$";

const RULES: Record<string, string> = {
  [BOT_ID_PATTERN]:
    "must be lower-case letters and digits, with single hyphens between them, as in `acme-support`",
  [INTENT_NAME_PATTERN]:
    "must be lower-case letters and digits, its parts joined by dots, as in `orders.status`",
  [INTENT_PATTERN_PATTERN]: "must be an intent's name, a prefix such as `orders.*`, or `*`",
  [PATH_PREFIX_PATTERN]: "must begin with `/`, as in `/help/`",
  [HEX_COLOUR]: "must be a colour such as `#1a73e8`",
};

/** What a text that fails a pattern should have been. */
export function patternInWords(pattern: string, value: string): string {
  const rule = RULES[pattern] ?? `must match the pattern ${pattern}`;
  const mended = mendedName(value);
  const hint = new RegExp(pattern).test(mended) ? `; did you mean \`${mended}\`?` : "";
  return `${rule}, not ${JSON.stringify(shortened(value))}${hint}`;
}

/** A name in the form that ids and intents have: lower-case, hyphens for what separates words. */
function mendedName(value: string): string {
  return value
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/[/:]+/g, ".");
}
