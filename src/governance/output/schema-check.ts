import { Format } from "typebox/format";

import { closestName, didYouMean } from "../../domain/closest-name.ts";
import { isJsonObject } from "../../domain/json-object.ts";
import { patternFault } from "./pattern-safety.ts";
import { KEYWORDS, type KeywordKind, TYPE_NAMES } from "./schema-keywords.ts";

/** A fault in a schema, with its JSON Pointer. */
export interface SchemaProblem {
  pointer: string;
  /** The fault and its remedy. */
  message: string;
}

export interface SchemaFindings {
  problems: SchemaProblem[];
  /** Parts that are allowed but have no effect. */
  warnings: SchemaProblem[];
}

export const escapeSegment = (segment: string | number): string =>
  String(segment).replaceAll("~", "~0").replaceAll("/", "~1");

/** The check is recursive; schemas for answers are nested less than ten levels deep. */
const MAX_DEPTH = 50;
const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/2020-12|draft-07)\/schema#?$/;

/**
 * Checks a schema by the rules of JSON Schema 2020-12 or draft-07 (by `$schema`; default 2020-12). Rejects what Parley does not support:
 * references outside the schema, dynamic references, nested `$id`, and slow patterns.
 */
export function checkSchema(schema: unknown): SchemaFindings {
  const dialect = isJsonObject(schema) ? schema["$schema"] : undefined;
  if (dialect !== undefined && !(typeof dialect === "string" && DIALECT.test(dialect))) {
    const message = "only JSON Schema 2020-12 and draft-07 are supported";
    return { problems: [{ pointer: "/$schema", message }], warnings: [] };
  }
  const check: Check = {
    problems: [],
    warnings: [],
    root: schema,
    isDraft07: typeof dialect === "string" && dialect.includes("draft-07"),
  };
  checkSubschema(schema, "", 0, check);
  return check;
}

interface Check extends SchemaFindings {
  root: unknown;
  isDraft07: boolean;
}

function checkSubschema(schema: unknown, pointer: string, depth: number, check: Check): void {
  const refuse = (message: string) => void check.problems.push({ pointer, message });
  if (typeof schema === "boolean") return;
  if (!isJsonObject(schema)) return refuse("a schema must be a mapping, true or false");
  if (depth > MAX_DEPTH) return refuse(`a schema may not nest more than ${MAX_DEPTH} levels deep`);
  for (const [name, value] of Object.entries(schema)) {
    checkKeyword(name, value, `${pointer}/${escapeSegment(name)}`, depth, check);
  }
}

function checkKeyword(name: string, value: unknown, pointer: string, depth: number, check: Check): void {
  const keyword = KEYWORDS.get(name);
  if (keyword === undefined) {
    const meant = closestName(name, KEYWORDS.keys());
    if (meant !== undefined) {
      check.warnings.push({ pointer, message: `\`${name}\` checks nothing; did you mean \`${meant}\`?` });
    }
    return;
  }
  const fault = FAULTS[keyword.kind]?.(value, check);
  if (fault !== undefined) check.problems.push({ pointer, message: `\`${name}\` ${fault}` });
  else if (name === "$id" && pointer !== "/$id")
    check.problems.push({ pointer, message: "`$id` may only stand at the top" });
  else if (name === "format") warnOfFormat(value as string, pointer, check);
  else
    for (const child of childSchemas(keyword.kind, value)) {
      if (name === "patternProperties") checkPropertyPattern(child.path, pointer, check);
      checkSubschema(child.schema, pointer + child.path, depth + 1, check);
    }
}

function warnOfFormat(format: string, pointer: string, check: Check): void {
  if (Format.Has(format)) return;
  const hint = didYouMean(
    format,
    Format.Entries().map(([known]) => known),
  );
  check.warnings.push({ pointer, message: `the format \`${format}\` is unknown and checks nothing${hint}` });
}

function checkPropertyPattern(path: string, pointer: string, check: Check): void {
  const pattern = path.slice(1).replaceAll("~1", "/").replaceAll("~0", "~");
  const fault = patternFault(pattern);
  if (fault !== undefined)
    check.problems.push({ pointer: pointer + path, message: `the pattern \`${pattern}\` ${fault}` });
}

/** The subschemas in a keyword's value, with their paths. */
export function childSchemas(kind: KeywordKind, value: unknown): { path: string; schema: unknown }[] {
  if (kind === "schema" || (kind === "schemaOrSchemas" && !Array.isArray(value)))
    return [{ path: "", schema: value }];
  if ((kind === "schemas" || kind === "schemaOrSchemas") && Array.isArray(value)) {
    return value.map((schema: unknown, index) => ({ path: `/${index}`, schema }));
  }
  if ((kind === "schemaMap" || kind === "dependencies") && isJsonObject(value)) {
    const schemas = Object.entries(value).filter(
      ([, schema]) => kind === "schemaMap" || !Array.isArray(schema),
    );
    return schemas.map(([key, schema]) => ({ path: `/${escapeSegment(key)}`, schema }));
  }
  return [];
}

/** The target of a local `$ref`; undefined if there is none. */
export function referenced(ref: string, root: unknown): unknown {
  if (ref === "#") return root;
  let target: unknown = root;
  for (const segment of ref.slice(2).split("/")) {
    const key = decoded(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as Record<string, unknown>)[key];
  }
  return target;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

const unless = (holds: (value: unknown) => boolean, message: string) => (value: unknown) =>
  holds(value) ? undefined : message;

/** The faults of keywords' own values; subschemas are checked separately. */
const FAULTS: Partial<Record<KeywordKind, (value: unknown, check: Check) => string | undefined>> = {
  schemas: unless(
    (value) => Array.isArray(value) && value.length > 0,
    "must be a list of schemas that is not empty",
  ),
  schemaMap: unless(isJsonObject, "must be a mapping from names to schemas"),
  dependencies: unless(
    (value) =>
      isJsonObject(value) && Object.values(value).every((entry) => !Array.isArray(entry) || isTexts(entry)),
    "must be a mapping from names to schemas or lists of names",
  ),
  schemaOrSchemas: (value, { isDraft07 }) =>
    Array.isArray(value) && !isDraft07
      ? "must be one schema in 2020-12; a list of them is `prefixItems`"
      : undefined,
  count: unless(
    (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    "must be a whole number from 0",
  ),
  number: unless((value) => typeof value === "number", "must be a number"),
  positive: unless((value) => typeof value === "number" && value > 0, "must be a number greater than 0"),
  boolean: unless((value) => typeof value === "boolean", "must be true or false"),
  text: unless(isText, "must be text"),
  format: unless(isText, "must be text"),
  texts: requiredFault,
  textsMap: unless(
    (value) => isJsonObject(value) && Object.values(value).every(isTexts),
    "must be a mapping from names to lists of names",
  ),
  list: unless((value) => Array.isArray(value), "must be a list"),
  type: typeFault,
  pattern: (value) => (isText(value) ? patternFault(value) : "must be text"),
  ref: refFault,
  unsupported: () => "is not supported; use `$ref` with a path such as `#/$defs/price`",
};

/** The compiled check finds names such as `toString` in every object, so it cannot require them. */
function requiredFault(value: unknown): string | undefined {
  if (!isTexts(value)) return "must be a list of names, each given once";
  const inherited = (value as string[]).find((name) => name in Object.prototype);
  return inherited === undefined ? undefined : `cannot require \`${inherited}\`; choose another name`;
}

function typeFault(value: unknown): string | undefined {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  const wrong = names.find((name) => !(isText(name) && TYPE_NAMES.includes(name)));
  if (names.length === 0 || new Set(names).size < names.length)
    return "must name at least one type, each once";
  if (wrong === undefined) return undefined;
  const hint = isText(wrong) ? didYouMean(wrong, TYPE_NAMES) : "";
  return `must be one of ${TYPE_NAMES.join(", ")}, not ${JSON.stringify(wrong)}${hint}`;
}

function refFault(value: unknown, { root }: Check): string | undefined {
  if (!isText(value)) return "must be text";
  if (!/^#(?:\/|$)/.test(value))
    return "must point into this schema, as in `#/$defs/price`; nothing is fetched";
  const target = referenced(value, root);
  return typeof target === "boolean" || isJsonObject(target)
    ? undefined
    : `points at \`${value}\`, where no schema is`;
}
