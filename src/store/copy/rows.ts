import { storableJsonText, storableText } from "../postgres/storable.ts";
import type { Column } from "./catalogue.ts";

/** A value as drivers read and take it. PostgreSQL's large integers are texts, so that none is rounded. */
export type Value = string | number | boolean | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

/** Bytes of a batch. Models are large: the process needs a few times as much memory. Chosen by hand. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Rows of one statement; more were no faster. */
export const MAX_ROWS = 500;

/** Converts SQLite's value of a column to PostgreSQL's. */
export function storableValue({ type }: Column, value: Value): Value {
  if (typeof value !== "string") return value;
  return type === "json" ? storableJsonText(storableText(value)) : storableText(value);
}

/** Converts PostgreSQL's value of a column to SQLite's. */
export function valueForSqlite({ type }: Column, value: Value): Exclude<Value, boolean> | bigint {
  if (value === null) return null;
  if (type === "bigint") return BigInt(value as string);
  return typeof value === "boolean" ? Number(value) : value;
}

/** Approximate bytes of a row in memory. */
export function sizeOf(row: Row): number {
  const sizes = Object.values(row).map((value) =>
    typeof value === "string" || value instanceof Uint8Array ? value.length : 8,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Number of a table's rows, and the sum of their hashes, which does not depend on their order. A row's hash is the 64-bit xxHash of one
 * text with all values, which is the same for both engines.
 */
export class Checksum {
  rows = 0;
  #sum = 0n;

  /** @param values in the order of the table's columns, as PostgreSQL stores them. */
  add(values: readonly Value[]): void {
    this.rows += 1;
    this.#sum = BigInt.asUintN(64, this.#sum + Bun.hash.xxHash64(JSON.stringify(values.map(canonical))));
  }

  equals(other: Checksum): boolean {
    return this.rows === other.rows && this.#sum === other.#sum;
  }

  describe(): string {
    return `${this.rows} rows, checksum ${this.#sum.toString(16).padStart(16, "0")}`;
  }
}

function canonical(value: Value): Value {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return typeof value === "number" ? String(value) : value;
}
