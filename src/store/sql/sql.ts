/** The two engines: a statement may have a text for each. */
export type EngineName = "sqlite" | "postgres";

/** What a statement holds beside its text. `undefined` is NULL; a boolean is 0 or 1 in SQLite. */
export type SqlValue = string | number | boolean | Uint8Array | null | undefined;

/** A value that is stored as JSON. */
class Json {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A list that is one parameter. */
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

/** A statement as a template: other statements in it become parts of its text, all else its parameters. */
export function sql(strings: TemplateStringsArray, ...pieces: (SqlValue | Json | Listed | Sql)[]): Sql {
  return new Sql(strings, pieces);
}

/** What the engines say in different words. The texts hold no values. */
export function byEngine(texts: Readonly<Record<EngineName, string>>): Sql {
  return new Sql(["", ""], [texts]);
}

/** Has whoever else locks these rows wait for the end of this transaction. SQLite has one writer at a time anyway. */
export const FOR_UPDATE = byEngine({ sqlite: "", postgres: "FOR UPDATE" });

/** A text of this program, as the name of a table, that is no parameter. */
export function text(words: string): Sql {
  return new Sql([words], []);
}

/** A value as JSON. PostgreSQL keeps no character 0: it becomes U+FFFD there. */
export function json(value: unknown): Json {
  return new Json(value);
}

/**
 * A list to be looked up by `IN`, where nothing is in an empty one, or as a table of one column `value` where there is something in it. One
 * parameter, so that the text is the same for every length.
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

/** Parts behind each other, with `separator` in between. */
export function joined(parts: readonly Sql[], separator: string): Sql {
  return new Sql(["", ...parts.slice(1).map(() => separator), ""], parts);
}

/** `WHERE` with all conditions that are given; nothing where none is. */
export function where(...conditions: readonly (Sql | undefined)[]): Sql {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? text("") : sql`WHERE ${joined(given, " AND ")}`;
}

/** How an engine is given what a statement holds. */
export interface Dialect<Parameter> {
  name: EngineName;
  /** @param number of the parameter, from 1. */
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
