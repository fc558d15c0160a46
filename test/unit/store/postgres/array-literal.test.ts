import { expect, test } from "bun:test";

import { SQL } from "bun";
import * as fc from "fast-check";

import { arrayLiteral, type Element } from "../../../../src/store/postgres/array-literal.ts";
import { createEmptyDatabase, whyNoPostgres } from "../../../support/postgres-server.ts";

const ODD_TEXTS = [
  "",
  "NULL",
  "null",
  " ",
  "{}",
  "{a,b}",
  "a,b",
  '"',
  '\\"',
  "\\",
  "\\\\",
  "\n\t'",
  "é 🙂",
  "%s $1",
];

test.skipIf(whyNoPostgres !== undefined)("PostgreSQL reads every list as it is", async () => {
  const { url, drop } = await createEmptyDatabase();
  {
    await using sql = new SQL(url, { max: 1 });
    const read = async (values: readonly Element[], type: string) =>
      (
        (await sql.unsafe(
          `SELECT value FROM unnest($1::${type}[]) WITH ORDINALITY AS list (value, at) ORDER BY at`,
          [arrayLiteral(values)],
        )) as { value: unknown }[]
      ).map(({ value }) => value);
    expect(await read([...ODD_TEXTS, null], "text")).toEqual([...ODD_TEXTS, null]);
    expect(await read([], "text")).toEqual([]);
    expect(await read([true, null, false], "boolean")).toEqual([true, null, false]);
    const numbers = [0, -1, Number.MAX_SAFE_INTEGER, null];
    expect((await read(numbers, "bigint")).map((value) => value && Number(value))).toEqual(numbers);
    const bytes = [new Uint8Array([0, 34, 92, 255]), new Uint8Array(), null];
    expect((await read(bytes, "bytea")).map((value) => value && [...(value as Uint8Array)])).toEqual(
      bytes.map((value) => value && [...value]),
    );
    const texts = fc.array(fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "")));
    await fc.assert(
      fc.asyncProperty(texts, async (values) => expect(await read(values, "text")).toEqual(values)),
    );
  }
  await drop();
});
