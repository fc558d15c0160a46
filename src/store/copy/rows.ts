import { storableJsonText, storableText } from "../postgres/storable.ts";
import type { Column } from "./catalogue.ts";

/** As drivers read and take it; PostgreSQL's large integers are texts, so that none is rounded. */
export type Value = string | number | boolean | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

/** Models are large: whatever the rows are, a batch takes a few times this in memory. */
export const MOST_BYTES = 4 * 1024 * 1024;
/** One statement's: larger ones were no faster. */
export const MOST_ROWS = 500;

/** SQLite's value of a column as PostgreSQL takes it. */
export function storableValue({ type }: Column, value: Value): Value {
  if (typeof value !== "string") return value;
  return type === "json" ? storableJsonText(storableText(value)) : storableText(value);
}

/** PostgreSQL's value of a column as SQLite takes it. */
export function valueForSqlite({ type }: Column, value: Value): Exclude<Value, boolean> | bigint {
  if (value === null) return null;
  if (type === "bigint") return BigInt(value as string);
  return typeof value === "boolean" ? Number(value) : value;
}

/** Bytes of a row in memory, about. */
export function sizeOf(row: Row): number {
  const sizes = Object.values(row).map((value) =>
    typeof value === "string" || value instanceof Uint8Array ? value.length : 8,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Number of a table's rows, and a sum of their hashes, whatever their order. A row's hash is the 64-bit xxHash of one text that holds
 * all values, which is the same of both engines.
 */
export class Checksum {
  rows = 0;
  #sum = 0n;

  /** @param values in the order of the table's columns, as PostgreSQL keeps them. */
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
