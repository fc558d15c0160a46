import type { ActionMethod, SlotType, SlotValue } from "../domain/action.ts";
import type { CompiledAction } from "./compile-action.ts";
import { parseTemplate, placeholdersIn, type Template } from "./template.ts";

/** A request to an endpoint, relative to its address. */
export interface ActionRequest {
  method: ActionMethod;
  /** Encoded; begins with `/`. */
  path: string;
  /** Encoded, without the `?`; empty without parameters. */
  query: string;
  /** JSON; absent without a body. */
  body?: string;
}

export type SlotValues = Readonly<Record<string, Pick<SlotValue, "type" | "value">>>;

/**
 * Builds the request of an action. Undefined if a value would change which path is requested: one with a slash, which some servers split
 * even if encoded, or a segment that becomes `.` or `..`. A missing optional value is empty in the path and in texts of the body, null if
 * it is all of such a text, and leaves its parameter out of the query. Pure.
 */
export function buildRequest(action: CompiledAction, values: SlotValues): ActionRequest | undefined {
  const path = encoded(action.path, values);
  const query = action.query === undefined ? "" : queryOf(action.query, values);
  if (path === undefined || !isSentAsWritten({ path, query })) return undefined;
  const body = action.body === undefined ? undefined : JSON.stringify(filled(action.body, values));
  return { method: action.method, path, query, ...(body !== undefined && { body }) };
}

function encoded({ parts }: Template, values: SlotValues): string | undefined {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const value = values[part.path[0]!]?.value ?? "";
    if (/[/\\]/.test(value)) return undefined;
    text += encodeURIComponent(value);
  }
  return text;
}

/**
 * Whether all servers read this path from a URL as it is written. Not so with `.` and `..` segments, a `?` or `#`, encoded slashes or
 * control characters, and empty segments other than the last. Pure.
 */
export function isSentAsWritten({ path, query }: Pick<ActionRequest, "path" | "query">): boolean {
  const segments = path.split("/").slice(1);
  return (
    new URL(`http://endpoint${path}`).pathname === path &&
    !query.includes("#") &&
    !MISREAD.test(path) &&
    segments.every(
      (segment, at) =>
        !DOTS.test(segment) && (segment !== "" || (at === segments.length - 1 && at > 0) || path === "/"),
    )
  );
}

/** Encoded slashes and control characters, which some servers decode before splitting a path. */
const MISREAD = /%(?:2f|5c|[01][0-9a-f]|7f)/i;

/** `.` and `..`, also with blanks or parameters after them, which some servers remove. */
const DOTS = /^(?:\.|%2e){1,2}(?:%20)*(?:;|%3b|$)/i;

/** Parameters without a value are left out: NUL, which `encodeURIComponent` never returns, marks them until then. */
function queryOf({ parts }: Template, values: SlotValues): string {
  const text = parts
    .map((part) => {
      if (typeof part === "string") return part;
      const value = values[part.path[0]!]?.value;
      return value === undefined ? "\0" : encodeURIComponent(value);
    })
    .join("");
  return text
    .split("&")
    .filter((pair) => !pair.includes("\0"))
    .join("&");
}

function filled(value: unknown, values: SlotValues): unknown {
  if (typeof value === "string") return filledText(parseTemplate(value), values);
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, values)]));
}

/** A text that is only a placeholder becomes the slot's JSON value; null if it is missing. */
function filledText(template: Template, values: SlotValues): unknown {
  const { parts } = template;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== "string") {
    const given = values[only.path[0]!];
    return given === undefined ? null : jsonOf(given.type, given.value);
  }
  return parts
    .map((part) => (typeof part === "string" ? part : (values[part.path[0]!]?.value ?? "")))
    .join("");
}

function jsonOf(type: SlotType, value: string): unknown {
  if (type === "yesno") return value === "true";
  return type === "integer" || type === "number" ? Number(value) : value;
}

/** The names of the slots used in a request. Pure. */
export function slotsSent({
  path,
  query,
  body,
}: Pick<CompiledAction, "path" | "query" | "body">): Set<string> {
  const templates = [path, ...(query ? [query] : []), ...textsIn(body).map(parseTemplate)];
  return new Set(templates.flatMap((template) => placeholdersIn(template).map((one) => one.path[0]!)));
}

/** All texts of a body at any depth. Pure. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Whether an endpoint allows a path: `*` matches one segment. Pure. */
export function isPathAllowed(path: string, allowed: readonly string[]): boolean {
  const segments = path.split("/");
  return allowed.some((pattern) => {
    const wanted = pattern.split("/");
    return (
      wanted.length === segments.length &&
      wanted.every((one, at) => (one === "*" ? segments[at] !== "" : one === segments[at]))
    );
  });
}
