// Texts of actions: `{slot}`, `{body.field, format}`; `{{` is a brace.

/** A placeholder in braces. */
export interface Placeholder {
  /** `slot`: a value by name. `answer`: `status`, or a field of the endpoint's response. */
  of: "slot" | "answer";
  /** The slot's name, or the path to the field: `["body", "items", "0"]`. */
  path: readonly string[];
  format?: Format;
  /** As written, for error messages. */
  written: string;
}

/** Format of a value; `list` uses a field of each item, or the items themselves. */
export type Format =
  | { kind: "date" | "time" | "money" | "number" }
  | { kind: "list"; item: readonly string[] };

export type TemplatePart = string | Placeholder;

export interface Template {
  parts: readonly TemplatePart[];
  /** Invalid placeholders; they are shown as written. */
  faults: readonly string[];
}

const FORMATS = ["date", "time", "money", "number"] as const;
const PLACEHOLDER =
  /^\s*([A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)\s*(?:,\s*([a-z]+)\s*(?::\s*([A-Za-z0-9_.-]+)\s*)?)?$/;

/** `{{`; or an opening brace with its content, and the closing brace if there is one. */
const BRACE = /\{\{|\{([^}]*)(\}?)/g;

/** Parses a text. `{botName}` must have been replaced before. Pure. */
export function parseTemplate(text: string): Template {
  const parts: TemplatePart[] = [];
  const faults: string[] = [];
  let plain = "";
  let at = 0;
  for (const { 0: written, 1: inside, 2: end, index } of text.matchAll(BRACE)) {
    plain += text.slice(at, index);
    at = index + written.length;
    const isClosed = end !== "";
    const found = inside === undefined || !isClosed ? undefined : placeholderIn(inside);
    if (typeof found === "object") {
      if (plain !== "") parts.push(plain);
      plain = "";
      parts.push(found);
    } else {
      plain += inside === undefined ? "{" : written;
      if (found !== undefined) faults.push(found);
      if (!isClosed) faults.push("`{` is never closed; `{{` is a brace");
    }
  }
  plain += text.slice(at);
  if (plain !== "") parts.push(plain);
  return { parts, faults };
}

function placeholderIn(inside: string): Placeholder | string {
  const written = `{${inside}}`;
  const [, name, kind, item] = PLACEHOLDER.exec(inside) ?? [];
  if (name === undefined) return `\`${written}\` is not a name with a format; \`{{\` is a brace`;
  const path = name.split(".");
  const of = path[0] === "body" || path[0] === "status" ? "answer" : "slot";
  if (of === "slot" && path.length > 1) return `\`${written}\`: fields of the answer begin with \`body.\``;
  if (kind === undefined) return { of, path, written };
  if (kind === "list") return { of, path, written, format: { kind, item: item?.split(".") ?? [] } };
  const known = FORMATS.find((format) => format === kind);
  if (known === undefined || item !== undefined)
    return `\`${written}\`: formats are date, time, money, number and \`list: NAME\``;
  return { of, path, written, format: { kind: known } };
}

/** The placeholders of a text. Pure. */
export function placeholdersIn({ parts }: Template): Placeholder[] {
  return parts.filter((part) => typeof part !== "string");
}

/** Fills the placeholders; undefined if a value is missing. Pure. */
export function fillTemplate(
  { parts }: Template,
  valueOf: (placeholder: Placeholder, before: string) => string | undefined,
): string | undefined {
  let text = "";
  for (const part of parts) {
    const value = typeof part === "string" ? part : valueOf(part, text);
    if (value === undefined) return undefined;
    text += value;
  }
  return text;
}

/** A field of JSON by its path from the root; undefined if there is none. Pure. */
export function fieldOf(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
