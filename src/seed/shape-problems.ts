import { type TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";

import { BotDocument } from "../domain/bot.ts";
import { closestName } from "../domain/closest-name.ts";
import { isJsonObject } from "../domain/json-object.ts";
import { pointerSegments } from "./read-document.ts";
import { expectedKind, foundKind, patternInWords } from "./shape-words.ts";

/** A mistake in the shape of a bot document. */
export interface ShapeProblem {
  pointer: string;
  /** Whether the field's name or its value is at fault. */
  at: "key" | "value";
  message: string;
}

/** Every mistake in the shape of a bot document, in sentences. */
export function shapeProblems(value: unknown): ShapeProblem[] {
  return withoutEchoes([...Value.Errors(BotDocument, value)].flatMap(byPattern)).flatMap(inWords);
}

/** TypeBox does not support `patternProperties` beside `properties`: fields whose name matches are validated by the pattern's schema. */
function byPattern(error: ValueError): ValueError[] {
  if (!isUnknownField(error)) return [error];
  const patterns = (error.schema["patternProperties"] ?? {}) as Record<string, TSchema>;
  const fitting = Object.keys(patterns).find((pattern) => new RegExp(pattern).test(lastSegment(error.path)));
  if (fitting === undefined) return [error];
  const { path } = error;
  return [...Value.Errors(patterns[fitting]!, error.value)].map((fault) => ({
    ...fault,
    path: path + fault.path,
  }));
}

/** Removes errors that repeat another: the type of a missing field, and a missing field whose misspelling is reported. */
function withoutEchoes(errors: ValueError[]): ValueError[] {
  const misspelt = new Set(
    errors.filter(isUnknownField).map((error) => `${parentOf(error.path)}/${meantField(error)}`),
  );
  return errors.filter((error) =>
    isMissing(error) ? !misspelt.has(error.path) : error.value !== undefined || isUnknownField(error),
  );
}

const isMissing = (error: ValueError): boolean => error.type === ValueErrorType.ObjectRequiredProperty;

const isUnknownField = (error: ValueError): boolean =>
  error.type === ValueErrorType.ObjectAdditionalProperties;

const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/"));
const lastSegment = (pointer: string): string => pointerSegments(pointer).at(-1) ?? "";

const fieldsOf = (schema: TSchema): string[] =>
  Object.keys((schema["properties"] as object | undefined) ?? {});
const meantField = (error: ValueError): string | undefined =>
  closestName(lastSegment(error.path), fieldsOf(error.schema));

function inWords(error: ValueError): ShapeProblem[] {
  const { path: pointer, schema, type } = error;
  if (isUnknownField(error)) return [{ pointer, at: "key", message: unknownField(error) }];
  if (isMissing(error)) {
    const what = schema.description === undefined ? "" : `: ${lowerFirst(schema.description)}`;
    return [{ pointer, at: "value", message: `the field \`${lastSegment(pointer)}\` is missing${what}` }];
  }
  if (type === ValueErrorType.Union) return ofUnion(error);
  return [{ pointer, at: "value", message: `${label(pointer)} ${faultOf(error)}` }];
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function unknownField(error: ValueError): string {
  const meant = meantField(error);
  const fields = fieldsOf(error.schema);
  const hint = meant === undefined ? ` (fields here: ${fields.join(", ")})` : `; did you mean \`${meant}\`?`;
  return `unknown field \`${lastSegment(error.path)}\`${hint}`;
}

/** "`name`", or "entry 3 of `examples`", counted from one. */
function label(pointer: string): string {
  const segments = pointerSegments(pointer);
  const last = segments.at(-1);
  if (last === undefined) return "a bot";
  const list = segments.at(-2);
  return /^\d+$/.test(last) && list !== undefined
    ? `entry ${Number(last) + 1} of \`${list}\``
    : `\`${last}\``;
}

type FaultInWords = (schema: TSchema, value: unknown) => string;

const belowMinimum: FaultInWords = (schema, value) =>
  `must be at least ${schema["minimum"]}, not ${String(value)}`;
const aboveMaximum: FaultInWords = (schema, value) =>
  `must be at most ${schema["maximum"]}, not ${String(value)}`;

const FAULTS: Partial<Record<ValueErrorType, FaultInWords>> = {
  [ValueErrorType.StringPattern]: (schema, value) =>
    patternInWords(schema["pattern"] as string, String(value)),
  [ValueErrorType.StringMinLength]: () => "must not be empty",
  [ValueErrorType.StringMaxLength]: (schema, value) =>
    `must have at most ${schema["maxLength"]} characters, not ${String(value).length}`,
  [ValueErrorType.ArrayMinItems]: () => "must have at least one entry; without any, leave it out",
  [ValueErrorType.ArrayMaxItems]: (schema, value) =>
    `must have at most ${schema["maxItems"]} entries, not ${(value as unknown[]).length}`,
  [ValueErrorType.IntegerMinimum]: belowMinimum,
  [ValueErrorType.NumberMinimum]: belowMinimum,
  [ValueErrorType.IntegerMaximum]: aboveMaximum,
  [ValueErrorType.NumberMaximum]: aboveMaximum,
  [ValueErrorType.NumberExclusiveMinimum]: (schema, value) =>
    `must be greater than ${schema["exclusiveMinimum"]}, not ${String(value)}`,
};

function faultOf({ type, schema, value }: ValueError): string {
  const inOwnWords = FAULTS[type]?.(schema, value);
  return inOwnWords ?? `must be ${expectedKind(schema)}, not ${foundKind(value, schema)}`;
}

/** A union is a choice of constants, or of shapes, of which the closest is reported. */
function ofUnion(error: ValueError): ShapeProblem[] {
  const { path: pointer, value, errors } = error;
  const variants = error.schema["anyOf"] as TSchema[];
  const shapes = variants.filter(
    (variant) => variant["type"] === "object" && variant["properties"] !== undefined,
  );
  if (shapes.length > 1 && isJsonObject(value)) return ofShapes(error, variants);
  if (shapes.length === 1 && isJsonObject(value)) {
    return withoutEchoes([...(errors[variants.indexOf(shapes[0]!)] ?? [])]).flatMap(inWords);
  }
  const constants = variants.flatMap((variant) =>
    typeof variant["const"] === "string" ? [variant["const"]] : [],
  );
  if (constants.length === variants.length) {
    return [{ pointer, at: "value", message: `${label(pointer)} ${notOneOf(constants, value)}` }];
  }
  const sameType = variants.findIndex((variant) => variant["type"] === typeName(value));
  const judged = sameType < 0 ? [] : [...(errors[sameType] ?? [])];
  if (judged.length > 0) return judged.flatMap(inWords);
  const kinds = [...new Set(variants.map(expectedKind))].join(" or ");
  return [{ pointer, at: "value", message: `${label(pointer)} must be ${kinds}, not ${foundKind(value)}` }];
}

const typeName = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value);

function notOneOf(constants: string[], value: unknown): string {
  const list = constants.map((constant) => `\`${constant}\``);
  const meant = typeof value === "string" ? closestName(value, constants) : undefined;
  const hint = meant === undefined ? "" : `; did you mean \`${meant}\`?`;
  return `must be ${list.slice(0, -1).join(", ")} or ${list.at(-1)}, not ${foundKind(value)}${hint}`;
}

/** The constants of `kind` that distinguish shapes, if they have it. */
function kindsOf(shapes: TSchema[]): (string | undefined)[] {
  return shapes.map(
    (shape) => (shape["properties"] as Record<string, TSchema>)?.["kind"]?.["const"] as string,
  );
}

function ofKinds({ path, value, errors }: ValueError, kinds: (string | undefined)[]): ShapeProblem[] {
  const { kind } = value as { kind?: unknown };
  const known = kinds.filter((candidate) => candidate !== undefined);
  const chosen = kinds.findIndex((candidate) => candidate === kind);
  if (kind === undefined) {
    return [{ pointer: path, at: "value", message: `${label(path)} must have \`kind\`` }];
  }
  if (chosen >= 0) return withoutEchoes([...(errors[chosen] ?? [])]).flatMap(inWords);
  return [{ pointer: `${path}/kind`, at: "value", message: `\`kind\` ${notOneOf(known, kind)}` }];
}

/**
 * The intended shape is the one whose first required field is given (`utterance` or `dialogue`). Without any, the message lists these fields.
 */
function ofShapes(error: ValueError, shapes: TSchema[]): ShapeProblem[] {
  const { path: pointer, value, errors } = error;
  const kinds = kindsOf(shapes);
  if (kinds.some((kind) => kind !== undefined)) return ofKinds(error, kinds);
  // Variants that are no mappings have no such field.
  const marks = shapes.map((shape) => (shape["required"] as string[] | undefined)?.[0]);
  const known = marks.filter((mark) => mark !== undefined);
  const given = known.filter((mark) => Object.hasOwn(value as object, mark));
  const choice = known.map((mark) => `\`${mark}\``).join(" or ");
  if (given.length === 0) return [{ pointer, at: "value", message: `${label(pointer)} must have ${choice}` }];
  if (given.length > 1) {
    return [{ pointer, at: "value", message: `${label(pointer)} must have either ${choice}, not both` }];
  }
  return withoutEchoes([...(errors[marks.indexOf(given[0])] ?? [])]).flatMap(inWords);
}
