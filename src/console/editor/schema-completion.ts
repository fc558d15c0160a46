/** A JSON Schema, as far as completion reads it. */
export interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  type?: string;
  description?: string;
}

/** Something that may be written at the cursor. */
export interface Suggestion {
  /** A field's name, or a value. */
  label: string;
  /** What is written: a field with its colon. */
  insert: string;
  detail: string;
}

export interface Suggestions {
  /** Where the word begins that is replaced. */
  from: number;
  options: Suggestion[];
}

/** What a line of YAML begins with: its depth, and the field that it names. `- name: x` stands at the depth of `name`. */
interface Line {
  indent: number;
  dashes: number;
  key: string | undefined;
}

const LINE = /^( *)((?:- +)*)(?:"?([\w.-]+)"?\s*:(?: |$))?/;

function readLine(text: string): Line | undefined {
  if (/^\s*(?:#|$)/.test(text)) return undefined;
  const [, spaces = "", dashes = "", key] = LINE.exec(text)!;
  return { indent: spaces.length + dashes.length, dashes: dashes.replaceAll(" ", "").length, key };
}

/** The names of the fields that a line is in, from the root; `[]` stands for an entry of a list. */
function pathTo(lines: readonly string[], at: number, indent: number, dashes: number): string[] {
  const path: string[] = Array.from({ length: dashes }, () => "[]");
  let depth = indent;
  for (let n = at - 1; n >= 0; n--) {
    const line = readLine(lines[n]!);
    if (line === undefined) continue;
    const isSibling = line.indent === depth && line.dashes > 0 && dashes === 0 && path.length === 0;
    if (isSibling || (line.indent < depth && line.dashes > 0 && line.key === undefined))
      path.unshift(...Array.from({ length: line.dashes }, () => "[]"));
    else if (line.indent < depth && line.key !== undefined)
      path.unshift(...Array.from({ length: line.dashes }, () => "[]"), line.key);
    else continue;
    depth = isSibling ? line.indent - 1 : line.indent - 2 * line.dashes;
    if (depth <= 0 && line.indent === 0) break;
  }
  return path;
}

/** The parts of a schema that hold at a path; several where it allows one of several shapes. */
function schemasAt(schema: Schema, path: readonly string[]): Schema[] {
  const shapes = schema.anyOf?.flatMap((shape) => schemasAt(shape, [])) ?? [schema];
  const [step, ...rest] = path;
  if (step === undefined) return shapes;
  return shapes.flatMap((shape) => {
    const next = step === "[]" ? shape.items : shape.properties?.[step];
    return next === undefined ? [] : schemasAt(next, rest);
  });
}

/** What may be written at a position of a bot's YAML: names of fields, and values where they are of a known few. */
export function suggestionsAt(schema: Schema, text: string, position: number): Suggestions | undefined {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const before = text.slice(start, position);
  if (/(?:^|\s)#/.test(before)) return undefined;
  const lines = text.slice(0, start).split("\n").slice(0, -1);
  const value = /^( *(?:- +)*)"?([\w.-]+)"?: +(\S*)$/.exec(before);
  if (value) return valuesAt(schema, lines, value, position);
  const name = /^( *)((?:- +)*)([\w.-]*)$/.exec(before);
  if (!name) return undefined;
  const [, spaces = "", dashes = "", word = ""] = name;
  const entries = dashes.replaceAll(" ", "").length;
  const path = pathTo([...lines, before], lines.length, spaces.length + dashes.length, entries);
  const options = schemasAt(schema, path).flatMap((shape) => [...fieldsOf(shape), ...valuesOf(shape)]);
  return options.length === 0 ? undefined : { from: position - word.length, options };
}

function valuesAt(
  schema: Schema,
  lines: readonly string[],
  match: RegExpExecArray,
  position: number,
): Suggestions | undefined {
  const [, lead = "", key = "", word = ""] = match;
  const dashes = lead.replaceAll(" ", "").length;
  const path = [...pathTo([...lines], lines.length, lead.length, dashes), key];
  const options = schemasAt(schema, path).flatMap(valuesOf);
  return options.length === 0 ? undefined : { from: position - word.length, options };
}

function fieldsOf({ properties = {} }: Schema): Suggestion[] {
  return Object.entries(properties).map(([label, schema]) => ({
    label,
    insert: schema.properties || schema.items ? `${label}:` : `${label}: `,
    detail: schema.description ?? "",
  }));
}

function valuesOf({ enum: values, const: only, type }: Schema): Suggestion[] {
  const all = values ?? (only === undefined ? (type === "boolean" ? [true, false] : []) : [only]);
  return all.map((each) => ({ label: String(each), insert: String(each), detail: "" }));
}
