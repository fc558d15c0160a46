import type { Path } from "./place.ts";

/** A change of a document at a path. */
export type Edit =
  | { kind: "set"; path: Path; value: unknown }
  | { kind: "append"; path: Path; values: readonly unknown[] }
  | { kind: "remove"; path: Path };

type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isFields(found) && Object.hasOwn(found, String(step))) found = found[String(step)];
    else return undefined;
  }
  return found;
}

/** Applies an edit to a plain value. A list that becomes empty stays; a map that becomes empty is removed. */
export function editPlain(value: unknown, edit: Edit): unknown {
  if (edit.kind === "set") return withValue(value, edit.path, edit.value);
  if (edit.kind === "remove") return without(value, edit.path);
  const before = valueAt(value, edit.path);
  return withValue(value, edit.path, [...(Array.isArray(before) ? before : []), ...edit.values]);
}

function withValue(value: unknown, [step, ...rest]: Path, set: unknown): unknown {
  if (step === undefined) return set;
  if (Array.isArray(value)) return value.with(Number(step), withValue(value[Number(step)], rest, set));
  const fields = isFields(value) ? value : {};
  return { ...fields, [step]: withValue(fields[String(step)], rest, set) };
}

function without(value: unknown, path: Path): unknown {
  const step = path.at(-1);
  const parentPath = path.slice(0, -1);
  const parent = valueAt(value, parentPath);
  if (Array.isArray(parent)) return withValue(value, parentPath, parent.toSpliced(Number(step), 1));
  if (!isFields(parent) || !Object.hasOwn(parent, String(step))) return value;
  const { [String(step)]: _removed, ...rest } = parent;
  const isEmptied = Object.keys(rest).length === 0 && typeof parentPath.at(-1) === "string";
  return isEmptied ? without(value, parentPath) : withValue(value, parentPath, rest);
}

/** Whether two values are equal; the order of fields does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, at) => isSame(item, other[at]))
    );
  if (!isFields(one) || !isFields(other)) return Object.is(one, other);
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}
