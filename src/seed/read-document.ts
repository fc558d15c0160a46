/** Position of a value in a document's text; offsets in UTF-16 units. */
export interface Offsets {
  /** Offset of the field's name; absent for list entries and the document itself. */
  key?: number;
  value: number;
}

/** A mistake of syntax. */
export interface ReadFault {
  offset: number;
  message: string;
}

/** One document of a bot file as plain JSON data, with the position of every value. */
export interface ReadDocument {
  value: unknown;
  /** By JSON Pointer (RFC 6901). */
  places: Map<string, Offsets>;
  faults: ReadFault[];
  /** `whole`: the value is as written; `cut`: unreadable parts are undefined; `broken`: the value is meaningless. */
  state: "whole" | "cut" | "broken";
}

/** Maximum nesting; no bot needs more, and every walk over a document may recurse. Chosen by hand. */
export const MAX_DEPTH = 100;

export const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep; bots need far fewer`;

/**
 * Fields, entries and texts of a document in JSON. Each takes some kilobytes while it is read and judged; the largest bot that can be
 * trained within minutes has a tenth of them.
 */
export const MAX_VALUES = 100_000;

export const TOO_MANY_VALUES =
  "more fields and entries than a bot needs (some 100,000); split it into a file for each bot";

export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The fields and indexes of a JSON Pointer. */
export function pointerSegments(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const EMPTY_LIST = "the list is empty; each entry should be a bot, with `id`, `name` and `allowedDomains`";

/** Makes each entry of a list a document of its own, with the list's faults in the first; other documents stay unchanged. */
export function separateEntries(document: ReadDocument): ReadDocument[] {
  const { value, places, faults, state } = document;
  if (!Array.isArray(value)) return [document];
  if (value.length === 0) {
    const fault = { offset: offsetOf(document, ""), message: EMPTY_LIST };
    return [{ ...document, faults: [...faults, fault], state: "broken" }];
  }
  const entries = value.map((entry: unknown, index): ReadDocument => {
    return { value: entry, places: new Map(), faults: index === 0 ? faults : [], state };
  });
  for (const [pointer, offsets] of places) {
    const [index] = pointerSegments(pointer);
    if (index !== undefined) entries[Number(index)]?.places.set(pointer.slice(index.length + 1), offsets);
  }
  return entries;
}

/** The offset of a value, of its field's name, or of the closest existing value around it. */
export function offsetOf({ places }: ReadDocument, pointer: string, at: "key" | "value" = "value"): number {
  for (let rest = pointer; ; rest = rest.slice(0, rest.lastIndexOf("/"))) {
    const offsets = places.get(rest);
    if (offsets !== undefined)
      return rest === pointer && at === "value" ? offsets.value : (offsets.key ?? offsets.value);
    if (rest === "") return 0;
  }
}

/** Why a text cannot be stored or shown unchanged; undefined if it can. */
export function textFault(text: string): string | undefined {
  if (text.includes("\0")) return "text must not contain NUL characters";
  if (!text.isWellFormed()) return "text must not contain half of a surrogate pair";
  return undefined;
}

/** Why a name cannot be a field's; undefined if it can. */
export function keyFault(key: string): string | undefined {
  return key === "__proto__" ? "`__proto__` cannot be a field's name" : textFault(key);
}
