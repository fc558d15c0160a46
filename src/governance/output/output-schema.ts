import { Format } from "typebox/format";
import { Compile, type Validator } from "typebox/schema";

import { isJsonObject } from "../../domain/json-object.ts";
import { checkSchema, type SchemaProblem } from "./schema-check.ts";
import { affordableLevels } from "./schema-cost.ts";

/** The result of checking a response: valid, or the error in one line. */
export type Enforcement = { valid: true; response: string } | { valid: false; error: string };

/** Checks responses against one output schema; synchronous, never throws. */
export interface Enforcer {
  /**
   * With `type: string`, the text itself is checked. Otherwise the text is parsed as JSON, and `response` is the checked value serialised
   * again: in the original text a key may occur twice, and a reader may take the value that was not checked.
   */
  readonly enforce: (text: string) => Enforcement;
}

export type CompiledSchema =
  | { ok: true; enforcer: Enforcer; warnings: readonly SchemaProblem[] }
  | { ok: false; problems: readonly SchemaProblem[] };

/** In UTF-16 code units. A longer response is rejected before it is parsed, to limit the time. */
export const MAX_RESPONSE_LENGTH = 256 * 1024;
/**
 * In UTF-16 code units of a text with a `format`; browsers open no longer addresses. Checking 250,000 characters of a URI blocks the loop
 * for a second.
 */
const MAX_FORMATTED_LENGTH = 4096;
/** Length of a log line, however long the names in an answer are. */
const MAX_ERROR_LENGTH = 300;

/**
 * Compiles an output schema (JSON Schema 2020-12 or draft-07), or says what is wrong with it, with JSON
 * Pointers into the schema. Formats of the specification are asserted; unknown ones only warned of.
 */
export function compileOutputSchema(schema: unknown): CompiledSchema {
  const { problems, warnings } = checkSchema(schema);
  if (problems.length > 0) return { ok: false, problems };
  const levels = affordableLevels(schema);
  if (typeof levels === "string")
    return { ok: false, problems: [{ pointer: "", message: UNUSABLE[levels] }] };
  boundFormats();
  try {
    const validator = Compile(schema as object);
    const isText = isJsonObject(schema) && schema["type"] === "string";
    const enforce = isText
      ? (text: string) => enforceText(text, validator)
      : (text: string) => enforceJson(text, validator, levels);
    return { ok: true, enforcer: { enforce }, warnings };
  } catch (error) {
    return {
      ok: false,
      problems: [{ pointer: "", message: `the schema cannot be compiled: ${String(error)}` }],
    };
  }
}

let areFormatsBounded = false;

/** The library has one global table of formats. */
function boundFormats(): void {
  if (areFormatsBounded) return;
  areFormatsBounded = true;
  for (const [name, check] of Format.Entries()) {
    Format.Set(name, (text) => text.length <= MAX_FORMATTED_LENGTH && check(text));
  }
}

const UNUSABLE = {
  endless: "the schema refers to itself without end; let a `$ref` loop lead through `properties` or `items`",
  "too costly": "the schema branches so often that checking an answer could take very long; simplify it",
};

function enforceText(text: string, validator: Validator): Enforcement {
  const error = tooLong(text) ?? schemaFault(text, validator);
  return error === undefined ? { valid: true, response: text } : { valid: false, error };
}

function enforceJson(text: string, validator: Validator, levels: number): Enforcement {
  const trimmed = text.trim();
  const bounds = tooLong(trimmed) ?? tooDeep(trimmed, levels);
  if (bounds !== undefined) return { valid: false, error: bounds };
  const parsed = parseJson(trimmed);
  if (parsed === undefined) return { valid: false, error: "the response is not JSON" };
  const fault = schemaFault(parsed.value, validator);
  if (fault !== undefined) return { valid: false, error: fault };
  const response = writeJson(parsed.value);
  if (response === undefined) return { valid: false, error: "the response holds a number that is too large" };
  const error = tooLong(response);
  return error === undefined ? { valid: true, response } : { valid: false, error };
}

/** Undefined if it contains a number such as 1e999, which was parsed as infinite and would be written as null. */
function writeJson(value: unknown): string | undefined {
  let isFinite = true;
  const text = JSON.stringify(value, (_, inner: unknown) => {
    if (inner === Infinity || inner === -Infinity) isFinite = false;
    return inner;
  });
  return isFinite ? text : undefined;
}

function tooLong(text: string): string | undefined {
  return text.length > MAX_RESPONSE_LENGTH
    ? `the response is longer than ${MAX_RESPONSE_LENGTH} characters`
    : undefined;
}

/** Counts nested brackets outside strings, before any recursive parsing. */
function tooDeep(text: string, levels: number): string | undefined {
  let open = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === "[" || token === "{") open++;
    else if (token === "]" || token === "}") open--;
    if (open > levels) return `the response nests more than ${levels} levels deep`;
  }
  return undefined;
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function schemaFault(value: unknown, validator: Validator): string | undefined {
  if (validator.Check(value)) return undefined;
  const [, [first]] = validator.Errors(value);
  const place = first === undefined || first.instancePath === "" ? "the response" : first.instancePath;
  const fault = first?.keyword === "boolean" ? "is not allowed" : (first?.message ?? "fails the schema");
  // Names in an answer may contain line breaks, which must not split the line.
  const line = `${place} ${fault}`.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  return line.length > MAX_ERROR_LENGTH ? `${line.slice(0, MAX_ERROR_LENGTH - 1)}…` : line;
}
