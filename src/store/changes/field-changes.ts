import type { FieldChange } from "../../domain/change.ts";
import { isJsonObject } from "../../domain/json-object.ts";

/** The differences of two documents, within bounds. */
export interface Difference {
  fields: FieldChange[];
  /** Number of fields that were left out for want of room. */
  omittedFields: number;
}

/**
 * Longest value, in characters of JSON: longer than any text of a bot except instructions, long answers and whole intents. Chosen by hand.
 */
const MAX_VALUE_LENGTH = 4000;
/**
 * Longest change, in characters of JSON: a new bot of some twenty intents fits, and a thousand such changes take at most 64 MB. Chosen by
 * hand.
 */
const MAX_CHANGE_LENGTH = 64 * 1024;

/**
 * The differences of two JSON documents, by field. Lists are compared by their items; items with a `name` are compared by name. Values
 * longer than 4,000 characters are cut; fields beyond 64 KiB are only counted.
 */
export function diffDocuments(before: object, after: object): Difference {
  const fields: FieldChange[] = [];
  let room = MAX_CHANGE_LENGTH;
  let omittedFields = 0;
  for (const found of compare("", before, after)) {
    const change = cut(found);
    const length = JSON.stringify(change).length;
    if (length > room) omittedFields += 1;
    else fields.push(change);
    room -= Math.min(length, room);
  }
  return { fields, omittedFields };
}

function* compare(field: string, before: unknown, after: unknown): Generator<FieldChange> {
  if (Bun.deepEquals(before, after, true)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      yield* compare(field === "" ? key : `${field}.${key}`, ownOf(before, key), ownOf(after, key));
    }
    return;
  }
  const [named, alsoNamed] = [byName(before), byName(after)];
  if (named !== undefined && alsoNamed !== undefined && named.size + alsoNamed.size > 0) {
    yield* compareNamed(field, named, alsoNamed);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    yield* compareLists(field, before, after);
  } else yield { field, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

type Named = ReadonlyMap<string, unknown>;

function* compareNamed(field: string, before: Named, after: Named): Generator<FieldChange> {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changes = names.flatMap((name) => [
    ...compare(`${field}[${name}]`, before.get(name), after.get(name)),
  ]);
  yield* changes;
  if (changes.length > 0) return;
  yield { field: `${field} (order)`, before: [...before.keys()], after: [...after.keys()] };
}

/** A different order, or a different number of equal items, records both lists. */
function* compareLists(
  field: string,
  before: readonly unknown[],
  after: readonly unknown[],
): Generator<FieldChange> {
  const [removed, added] = [withoutThose(before, after), withoutThose(after, before)];
  if (removed.length + added.length === 0) yield { field, before, after };
  else yield { field, ...(removed.length > 0 && { removed }), ...(added.length > 0 && { added }) };
}

/** A list's items by name, empty if there is no list; undefined if an item has no name, or two share one. */
function byName(items: unknown = []): Named | undefined {
  if (!Array.isArray(items)) return undefined;
  const named = new Map(
    items.flatMap((item: unknown): [string, unknown][] => {
      const name = isJsonObject(item) ? ownOf(item, "name") : undefined;
      return typeof name === "string" ? [[name, item]] : [];
    }),
  );
  return named.size === items.length ? named : undefined;
}

function withoutThose(items: readonly unknown[], others: readonly unknown[]): unknown[] {
  const known = new Set(others.map((other) => JSON.stringify(other)));
  return items.filter((item) => !known.has(JSON.stringify(item)));
}

/** Only own properties: a field may be called `constructor`. */
function ownOf(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function cut(change: FieldChange): FieldChange {
  const short: FieldChange = {
    ...change,
    ...("before" in change && { before: cutValue(change.before) }),
    ...("after" in change && { after: cutValue(change.after) }),
    ...(change.removed && { removed: cutList(change.removed) }),
    ...(change.added && { added: cutList(change.added) }),
  };
  return JSON.stringify(short) === JSON.stringify(change) ? change : { ...short, isCut: true };
}

/** A value that is too long and no string is cut in its JSON form. */
function cutValue(value: unknown): unknown {
  const json = JSON.stringify(value);
  if (json.length <= MAX_VALUE_LENGTH) return value;
  return `${(typeof value === "string" ? value : json).slice(0, MAX_VALUE_LENGTH)}…`;
}

function cutList(items: readonly unknown[]): unknown[] {
  let room = MAX_VALUE_LENGTH;
  return items.map(cutValue).filter((item) => (room -= JSON.stringify(item).length) >= 0);
}
