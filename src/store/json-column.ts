import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";

import { UnusableDatabaseError } from "./unusable-database.ts";

/** Compiling the check of a bot's document takes 20 ms and 3 MB, so the first texts are checked without compiling. Chosen by hand. */
const READ_WITHOUT_COMPILING = 10;

/** Reads a column of JSON texts of one schema. The check is compiled once some texts have been read. */
export class JsonColumn<Schema extends TSchema> {
  readonly #name: string;
  readonly #schema: Schema;
  readonly #remedy: string;
  #check: TypeCheck<Schema> | undefined;
  #readCount = 0;

  /**
   * @param name `table.column`
   * @param remedy an operator's remedy for a corrupt text
   */
  constructor(name: string, schema: Schema, remedy = "restore a backup of the data folder") {
    this.#name = name;
    this.#schema = schema;
    this.#remedy = remedy;
  }

  /**
   * @param row names the row in the error
   * @throws UnusableDatabaseError if the text is not JSON, or does not match the schema.
   */
  parse(text: string, row: string): Static<Schema> {
    const value = this.#parseJson(text, row);
    if (this.#holds(value)) return value;
    const { path, message } = Value.Errors(this.#schema, value).First()!;
    throw this.#corrupt(row, `${path === "" ? "the whole" : path}: ${message}`);
  }

  #holds(value: unknown): value is Static<Schema> {
    if (this.#readCount++ < READ_WITHOUT_COMPILING) return Value.Check(this.#schema, value);
    this.#check ??= TypeCompiler.Compile(this.#schema);
    return this.#check.Check(value);
  }

  #parseJson(text: string, row: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#corrupt(row, (error as Error).message, error);
    }
  }

  #corrupt(row: string, fault: string, cause?: unknown): UnusableDatabaseError {
    const message = `${this.#name} of ${row} cannot be read (${fault}); ${this.#remedy}`;
    return new UnusableDatabaseError(message, { cause });
  }
}
