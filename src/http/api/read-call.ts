import { KindGuard, type Static, type TObject, type TSchema, TypeGuard } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import type { FieldFault } from "../../domain/errors.ts";
import { isJsonObject } from "../../domain/json-object.ts";
import { describeFault, invalid, readBody, readJson, textFault } from "../json-body.ts";
import type { ApiRoute } from "./frame.ts";

/** Most faults reported for a request. */
const MAX_FAULTS = 20;
/** Deepest nesting of objects and lists; no route needs more than a few levels. */
const MAX_LEVELS = 64;

/** Parses path parameters by schema. @throws ServiceError INVALID_REQUEST */
export function readParams({ params }: ApiRoute, given: Readonly<Record<string, string>>): unknown {
  return parsed("path", params, Value.Convert(params, { ...given }));
}

/**
 * Parses query parameters by schema; numbers and booleans are converted. @throws ServiceError INVALID_REQUEST, also for unknown parameters.
 */
export function readQuery({ query }: ApiRoute, url: string): unknown {
  const { searchParams } = new URL(url);
  const given: Record<string, unknown> = {};
  for (const name of new Set(searchParams.keys())) given[name] = valueOf(query, name, searchParams);
  return parsed("query", query, Value.Convert(query, given));
}

function valueOf(query: TObject, name: string, given: URLSearchParams): unknown {
  const schema = query.properties[name];
  return schema !== undefined && KindGuard.IsArray(schema) ? given.getAll(name) : given.get(name);
}

/**
 * Parses the body by schema; a missing optional body counts as empty. @throws ServiceError INVALID_REQUEST, also for unknown fields,
 * because a misspelled field would be ignored silently.
 */
export async function readApiBody({ body, maxBodyBytes }: ApiRoute, request: Request): Promise<unknown> {
  if (body === undefined) return undefined;
  if (TypeGuard.IsOptional(body) && isWithoutBody(request)) return {};
  return parsed("request body", body, await readJson(request, maxBodyBytes));
}

function isWithoutBody({ body, headers }: Request): boolean {
  return body === null || headers.get("content-length") === "0";
}

/** @throws ServiceError INVALID_REQUEST if the body is too large or no form. */
export async function readForm({ maxBodyBytes }: ApiRoute, request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data;/i.test(type)) throw invalid("Send the body as multipart/form-data.");
  const bytes = await readBody(request, maxBodyBytes);
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { "Content-Type": type },
    }).formData();
  } catch (error) {
    throw invalid("The request body is not valid multipart/form-data.", [], error);
  }
}

function parsed(what: string, schema: TSchema, value: unknown): unknown {
  const faults = [...faultsOf(schema, value), ...unknownFields(schema, value), ...oddValues(value)];
  if (faults.length === 0) return value;
  const first = faults.slice(0, MAX_FAULTS);
  throw invalid(`The ${what} is not valid: ${first.map(describeFault).join("; ")}.`, first);
}

function faultsOf(schema: TSchema, value: unknown): FieldFault[] {
  const byPlace = new Map<string, FieldFault>();
  for (const { path, message, schema: expected } of Value.Errors(schema, value)) {
    if (byPlace.size > MAX_FAULTS) break;
    if (byPlace.has(path)) continue;
    byPlace.set(path, { pointer: path, detail: choiceOf(expected) ?? lowerFirst(message) });
  }
  return [...byPlace.values()];
}

/** The values of a union of constants. */
function choiceOf(schema: TSchema): string | undefined {
  if (!KindGuard.IsUnion(schema) || !schema.anyOf.every((option) => KindGuard.IsLiteral(option)))
    return undefined;
  return `must be one of ${schema.anyOf.map((option) => String(option["const"])).join(", ")}`;
}

function unknownFields(schema: TSchema, value: unknown): FieldFault[] {
  if (!KindGuard.IsObject(schema) || !isJsonObject(value)) return [];
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(schema.properties, name));
  const known = Object.keys(schema.properties).join(", ");
  return unknown.slice(0, MAX_FAULTS).map((name) => ({
    pointer: `/${name}`,
    detail: known === "" ? "is not known here" : `is not known here; there are ${known}`,
  }));
}

/** Faults of texts and numbers that stores cannot keep unchanged, and of too deep nesting. */
function oddValues(value: unknown): FieldFault[] {
  const faults: FieldFault[] = [];
  findOddValues(value, "", 0, faults);
  return faults;
}

/** Limited in depth and number, because some routes read input from anybody. */
function findOddValues(value: unknown, pointer: string, level: number, faults: FieldFault[]): void {
  if (faults.length >= MAX_FAULTS) return;
  if (typeof value === "string") {
    const detail = textFault(value);
    if (detail !== undefined) faults.push({ pointer, detail });
  } else if (typeof value === "number") {
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) faults.push({ pointer, detail: "must not be so large" });
  } else if (typeof value === "object" && value !== null) {
    if (level === MAX_LEVELS) {
      faults.push({ pointer, detail: `must not lie more than ${MAX_LEVELS} levels deep` });
    } else {
      for (const [name, inner] of Object.entries(value)) {
        findOddValues(inner, `${pointer}/${name}`, level + 1, faults);
      }
    }
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** A place in a list as an opaque text for clients. */
export function cursorOf(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** A page of a list. @param found one more than fit on the page, if there are so many. @param place what the next page's cursor names. */
export function pageFrom<Item, Row>(
  found: readonly Item[],
  limit: number,
  { rowOf, place }: { rowOf: (item: Item) => Row; place: (item: Item) => unknown },
): { items: Row[]; next: string | null } {
  const page = found.slice(0, limit);
  return { items: page.map(rowOf), next: found.length > limit ? cursorOf(place(page.at(-1)!)) : null };
}

/** The place of a cursor. @throws ServiceError INVALID_REQUEST if it is not from this list. */
export function placeOf<Place extends TSchema>(schema: Place, cursor: string): Static<Place> {
  const place = parse(cursor);
  if (Value.Check(schema, place) && oddValues(place).length === 0) return place;
  throw noCursor();
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch (error) {
    throw noCursor(error);
  }
}

function noCursor(cause?: unknown) {
  const detail = "is not a cursor of this list; begin again without it";
  return invalid(`The cursor ${detail}.`, [{ pointer: "/cursor", detail }], cause);
}
