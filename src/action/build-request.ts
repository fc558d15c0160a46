import type { ActionMethod, SlotType, SlotValue } from "../domain/action.ts";
import type { CompiledAction } from "./compile-action.ts";
import { parseTemplate, placeholdersIn, type Template } from "./template.ts";

/** A request to an endpoint, below its address. */
export interface ActionRequest {
  method: ActionMethod;
  /** Encoded; begins with `/`. */
  path: string;
  /** Encoded, without the `?`; empty where there is none. */
  query: string;
  /** JSON; absent where nothing is sent. */
  body?: string;
}

export type SlotValues = Readonly<Record<string, Pick<SlotValue, "type" | "value">>>;

/**
 * The request that an action makes of the values; undefined where the path would not be sent as it was allowed, or one of the values cannot stand in
 * it: `.`, `..`, or with a slash in it, which some servers take apart even where it is encoded. Every value is there, or optional: then it is empty.
 * Pure.
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
 * Whether a URL has the path as it stands here, and a server finds no other one in it: nothing goes up, ends it early or is a slash in disguise, and no
 * segment but the last is empty. Pure.
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

/** Encoded slashes and control characters, which some servers decode before they take a path apart. */
const MISREAD = /%(?:2f|5c|[01][0-9a-f]|7f)/i;

/** Also with blanks or parameters behind them, which some servers leave out. */
const DOTS = /^(?:\.|%2e){1,2}(?:%20)*(?:;|%3b|$)/i;

/** What has no value is left out with its name. */
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

/** A text that is nothing but a slot is the slot's own value in JSON; one that was not given is null. */
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

/** The names of the slots that a request is made of. Pure. */
export function slotsSent({
  path,
  query,
  body,
}: Pick<CompiledAction, "path" | "query" | "body">): Set<string> {
  const templates = [path, ...(query ? [query] : []), ...textsIn(body).map(parseTemplate)];
  return new Set(templates.flatMap((template) => placeholdersIn(template).map((one) => one.path[0]!)));
}

/** All texts of a body, however deep. Pure. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Whether a path is one of those that an endpoint allows: `*` is one segment, whatever stands in it. Pure. */
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
