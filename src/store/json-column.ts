import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";

import { UnusableDatabaseError } from "./migrate.ts";

/** Reads a column of JSON texts, all of one shape. The check is compiled once, when the first of them is read. */
export class JsonColumn<Schema extends TSchema> {
  readonly #name: string;
  readonly #schema: Schema;
  readonly #remedy: string;
  #check: TypeCheck<Schema> | undefined;

  /**
   * @param name `table.column`
   * @param remedy what an operator can do about a text that is corrupt
   */
  constructor(name: string, schema: Schema, remedy = "restore a backup of the data folder") {
    this.#name = name;
    this.#schema = schema;
    this.#remedy = remedy;
  }

  /**
   * @param row names the row, for whoever has to mend it
   * @throws UnusableDatabaseError where the text is no JSON, or of another shape.
   */
  parse(text: string, row: string): Static<Schema> {
    const value = this.#parseJson(text, row);
    this.#check ??= TypeCompiler.Compile(this.#schema);
    if (this.#check.Check(value)) return value;
    const { path, message } = this.#check.Errors(value).First()!;
    throw this.#corrupt(row, `${path === "" ? "the whole" : path}: ${message}`);
  }

  #parseJson(text: string, row: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#corrupt(row, (error as Error).message, error);
    }
  }

  #corrupt(row: string, fault: string, cause?: unknown): UnusableDatabaseError {
    const message = `${this.#name} of ${row} does not hold what it should (${fault}); ${this.#remedy}`;
    return new UnusableDatabaseError(message, { cause });
  }
}
