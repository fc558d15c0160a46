import { describe, expect, test } from "bun:test";

import {
  among,
  byEngine,
  compile,
  type Dialect,
  joined,
  json,
  sql,
  text,
  where,
} from "../../../../src/store/sql/sql.ts";

const SQLITE: Dialect<unknown> = {
  name: "sqlite",
  placeholder: () => "?",
  value: (value) => value,
  json: (value) => ({ json: value }),
  list: (values) => ({ list: values }),
};
const POSTGRES: Dialect<unknown> = { ...SQLITE, name: "postgres", placeholder: (number) => `$${number}` };

describe("a statement", () => {
  test("holds what is given it as parameters, in order, also by way of its parts", () => {
    const ofBot = sql`bot_key = ${7}`;
    const statement = sql`SELECT ${"a"} FROM turns WHERE ${ofBot} AND at > ${5} LIMIT ${1}`;
    expect(compile(statement, SQLITE)).toEqual({
      text: "SELECT ? FROM turns WHERE bot_key = ? AND at > ? LIMIT ?",
      parameters: ["a", 7, 5, 1],
    });
    expect(compile(statement, POSTGRES)).toEqual({
      text: "SELECT $1 FROM turns WHERE bot_key = $2 AND at > $3 LIMIT $4",
      parameters: ["a", 7, 5, 1],
    });
  });

  test("never takes a value for a part of its text", () => {
    const hostile = "'; DROP TABLE bots; --";
    expect(compile(sql`SELECT ${hostile}`, SQLITE)).toEqual({ text: "SELECT ?", parameters: [hostile] });
  });

  test("holds NULL for what is not given, and bytes and JSON as such", () => {
    const bytes = new Uint8Array([1]);
    expect(compile(sql`VALUES (${undefined}, ${null}, ${bytes}, ${json({ a: 1 })})`, SQLITE)).toEqual({
      text: "VALUES (?, ?, ?, ?)",
      parameters: [null, null, bytes, { json: { a: 1 } }],
    });
  });

  test("has the words of each engine where they differ", () => {
    const statement = sql`SELECT 1 ${byEngine({ sqlite: "", postgres: "FOR UPDATE" })}`;
    expect([compile(statement, SQLITE).text, compile(statement, POSTGRES).text]).toEqual([
      "SELECT 1 ",
      "SELECT 1 FOR UPDATE",
    ]);
  });

  test("looks for one of a list by one parameter, however long it is", () => {
    const texts = sql`id IN ${among(["a", "b"])}`;
    expect(compile(texts, SQLITE)).toEqual({
      text: "id IN (SELECT value FROM json_each(?))",
      parameters: [{ list: ["a", "b"] }],
    });
    expect(compile(texts, POSTGRES).text).toBe("id IN (SELECT unnest($1::text[]) AS value)");
    expect(compile(sql`key IN ${among([1])}`, POSTGRES).text).toBe(
      "key IN (SELECT unnest($1::bigint[]) AS value)",
    );
  });

  test("has the conditions that are given, or none", () => {
    const statement = where(sql`a = ${1}`, undefined, sql`b = ${2}`);
    expect(compile(statement, POSTGRES)).toEqual({ text: "WHERE a = $1 AND b = $2", parameters: [1, 2] });
    expect(compile(where(undefined), POSTGRES)).toEqual({ text: "", parameters: [] });
    expect(compile(joined([text("a")], ", "), POSTGRES).text).toBe("a");
  });
});
