import type { TSchema } from "@sinclair/typebox";

import { SLOT_NAME_PATTERN } from "../domain/action.ts";
import { INTENT_PATTERN_PATTERN, LANGUAGE_TAG_PATTERN } from "../domain/bot.ts";
import { FONTS_PATTERN, HEX_COLOUR_PATTERN, WEB_ADDRESS_PATTERN } from "../domain/embed.ts";
import { EMAIL_PATTERN, OPENING_PATTERN, WEBHOOK_NAME_PATTERN } from "../domain/handoff.ts";
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

/** The value that a schema requires, in words: "a whole number", "the text `scripted`". */
export function expectedKind(schema: TSchema): string {
  if (schema["const"] !== undefined) return `\`${String(schema["const"])}\``;
  return KINDS[String(schema["type"])] ?? "something else";
}

/** The value found instead, in words, with a hint for YAML's common surprises. */
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

/** Requirements in words, by the patterns of a bot file's schema. */
const RULES: Record<string, string> = {
  [BOT_ID_PATTERN]:
    "must be lower-case letters and digits, with single hyphens between them, as in `acme-support`",
  [INTENT_NAME_PATTERN]:
    "must be lower-case letters and digits, its parts joined by dots, as in `orders.status`",
  [INTENT_PATTERN_PATTERN]: "must be an intent's name, a prefix such as `orders.*`, or `*`",
  [PATH_PREFIX_PATTERN]: "must begin with `/`, as in `/help/`",
  [HEX_COLOUR_PATTERN]: "must be a colour such as `#1a73e8`",
  [FONTS_PATTERN]:
    "must be names of fonts with commas between them, 200 characters at most, as in `Inter, sans-serif`",
  [WEB_ADDRESS_PATTERN]: "must begin with `https://` or `http://`",
  [LANGUAGE_TAG_PATTERN]: "must be the tag of a language, as `de` or `pt-BR`",
  [EMAIL_PATTERN]: "must be one e-mail address, as `team@example.com`",
  [WEBHOOK_NAME_PATTERN]:
    "must be the name of a webhook, in lower-case letters and digits with single dots, hyphens or underscores between them, as `crm`",
  [SLOT_NAME_PATTERN]: "must be a letter, then letters, digits and `_`, 40 at most, as `orderNumber`",
  [OPENING_PATTERN]:
    "must be days and times of 24 hours, as `Mo-Fr 09:00-17:30`; the days are Mo, Tu, We, Th, Fr, Sa and Su, or named in the bot's language",
};

/** Patterns of names: a value with other case or spaces is probably a misspelled name. */
const NAMES: ReadonlySet<string> = new Set([
  BOT_ID_PATTERN,
  INTENT_NAME_PATTERN,
  INTENT_PATTERN_PATTERN,
  LANGUAGE_TAG_PATTERN,
  WEBHOOK_NAME_PATTERN,
]);

/** A pattern's requirement in words, for a text that fails it. */
export function patternInWords(pattern: string, value: string): string {
  const rule = RULES[pattern] ?? "must have another form";
  const mended = mendedName(value);
  const hint = NAMES.has(pattern) && new RegExp(pattern).test(mended) ? `; did you mean \`${mended}\`?` : "";
  return `${rule}, not ${JSON.stringify(shortened(value))}${hint}`;
}

/** A name in the form of ids and intents: lower case, with hyphens between words. */
function mendedName(value: string): string {
  return value
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/[/:]+/g, ".");
}
