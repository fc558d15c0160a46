/** A database engine. {@link byEngine} gives a part of a statement a different text for each. */
export type EngineName = "sqlite" | "postgres";

/** A value in a statement. `undefined` is NULL; a boolean is 0 or 1 in SQLite. */
export type SqlValue = string | number | boolean | Uint8Array | null | undefined;

/** A value that is stored as JSON. */
class Json {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A list that is passed as one parameter; see {@link among}. */
class Listed {
  readonly values: readonly (string | number)[];

  constructor(values: readonly (string | number)[]) {
    this.values = values;
  }
}

type Piece = SqlValue | Json | Listed | Sql | Readonly<Record<EngineName, string>>;

/** A statement, or a part of one, with its values: `strings[0] pieces[0] strings[1] …`. Made by {@link sql}. */
export class Sql {
  readonly strings: readonly string[];
  readonly pieces: readonly Piece[];

  constructor(strings: readonly string[], pieces: readonly Piece[]) {
    this.strings = strings;
    this.pieces = pieces;
  }
}

/** Builds a statement from a template. An embedded {@link Sql} becomes part of its text; every other value becomes a parameter. */
export function sql(strings: TemplateStringsArray, ...pieces: (SqlValue | Json | Listed | Sql)[]): Sql {
  return new Sql(strings, pieces);
}

/** Text that differs between the engines. It is inserted without escaping, so it must never contain user input. */
export function byEngine(texts: Readonly<Record<EngineName, string>>): Sql {
  return new Sql(["", ""], [texts]);
}

/** Locks the rows until the end of the transaction. SQLite has one writer at a time, and needs no lock. */
export const FOR_UPDATE = byEngine({ sqlite: "", postgres: "FOR UPDATE" });

/** Constant text, such as a table name. It is inserted without escaping, so it must never contain user input. */
export function text(words: string): Sql {
  return new Sql([words], []);
}

/** A value stored as JSON. PostgreSQL cannot store the NUL character; there it is replaced by U+FFFD. */
export function json(value: unknown): Json {
  return new Json(value);
}

/**
 * A list for `IN`, or a table with one column `value`. It is one parameter, so that the statement's text does not depend on the number of
 * elements. An empty list becomes `(NULL)`: `IN` then matches nothing, but so does `NOT IN`, and `FROM` is a syntax error, so callers of
 * these must check for it.
 */
export function among(values: readonly (string | number)[]): Sql {
  if (values.length === 0) return text("(NULL)");
  const type = typeof values[0] === "number" ? "bigint" : "text";
  const [before, after] = [
    { sqlite: "(SELECT value FROM json_each(", postgres: "(SELECT unnest(" },
    { sqlite: "))", postgres: `::${type}[]) AS value)` },
  ];
  return new Sql(["", "", "", ""], [before, new Listed(values), after]);
}

/** Parts in order, with `separator` in between. */
export function joined(parts: readonly Sql[], separator: string): Sql {
  return new Sql(["", ...parts.slice(1).map(() => separator), ""], parts);
}

/** `WHERE` with all conditions that are given; empty if there are none. */
export function where(...conditions: readonly (Sql | undefined)[]): Sql {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? text("") : sql`WHERE ${joined(given, " AND ")}`;
}

/** How an engine writes placeholders and encodes values. */
export interface Dialect<Parameter> {
  name: EngineName;
  /** @param number number of the parameter, from 1. */
  placeholder: (number: number) => string;
  value: (value: Exclude<SqlValue, undefined>) => Parameter;
  json: (value: unknown) => Parameter;
  list: (values: readonly (string | number)[]) => Parameter;
}

/** The text of a statement for an engine, and its parameters in order. */
export function compile<Parameter>(
  statement: Sql,
  dialect: Dialect<Parameter>,
): { text: string; parameters: Parameter[] } {
  const parameters: Parameter[] = [];
  return { text: textOf(statement, dialect, parameters), parameters };
}

function textOf<Parameter>(
  { strings, pieces }: Sql,
  dialect: Dialect<Parameter>,
  parameters: Parameter[],
): string {
  let whole = strings[0]!;
  for (const [index, piece] of pieces.entries()) {
    whole += textOfPiece(piece, dialect, parameters) + strings[index + 1]!;
  }
  return whole;
}

function textOfPiece<Parameter>(piece: Piece, dialect: Dialect<Parameter>, parameters: Parameter[]): string {
  if (piece instanceof Sql) return textOf(piece, dialect, parameters);
  if (piece === null || piece === undefined) parameters.push(dialect.value(null));
  else if (piece instanceof Json) parameters.push(dialect.json(piece.value));
  else if (piece instanceof Listed) parameters.push(dialect.list(piece.values));
  else if (typeof piece !== "object" || piece instanceof Uint8Array) parameters.push(dialect.value(piece));
  else return piece[dialect.name];
  return dialect.placeholder(parameters.length);
}
