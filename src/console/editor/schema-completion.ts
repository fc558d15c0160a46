/** The parts of a JSON Schema that completion reads. */
export interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  type?: string;
  description?: string;
}

/** A suggestion at the cursor. */
interface Suggestion {
  /** A field's name, or a value. */
  label: string;
  /** The inserted text: a field with its colon, or a value. */
  insert: string;
  detail: string;
}

interface Suggestions {
  /** Start of the word that is replaced. */
  from: number;
  options: Suggestion[];
}

/** The start of a YAML line: its indentation and its field. `- name: x` has the indentation of `name`. */
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

/** Names of the fields around a line, from the root; `[]` is a list entry. */
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

/** The subschemas that apply at a path; several if the schema allows several shapes. */
function schemasAt(schema: Schema, path: readonly string[]): Schema[] {
  const shapes = schema.anyOf?.flatMap((shape) => schemasAt(shape, [])) ?? [schema];
  const [step, ...rest] = path;
  if (step === undefined) return shapes;
  return shapes.flatMap((shape) => {
    const next = step === "[]" ? shape.items : shape.properties?.[step];
    return next === undefined ? [] : schemasAt(next, rest);
  });
}

/** Suggestions at a position of a bot's YAML: field names, and values of enumerations. */
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
