import { expect, test } from "bun:test";

import { Type } from "@sinclair/typebox";

import { ServiceError } from "../../../../src/domain/errors.ts";
import { route } from "../../../../src/http/api/frame.ts";
import { readApiBody, readQuery } from "../../../../src/http/api/read-call.ts";

const TAKES_ALL = route({
  method: "POST",
  path: "/all",
  permission: "anyone",
  summary: "",
  body: Type.Unknown(),
  answer: () => {},
});

async function faultsOf(body: string) {
  const headers = { "Content-Type": "application/json" };
  const request = new Request("http://localhost/", { method: "POST", headers, body });
  try {
    await readApiBody(TAKES_ALL, request);
    return [];
  } catch (error) {
    if (error instanceof ServiceError) return error.options.errors!;
    throw error;
  }
}

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

const TAKES_CHOICES = route({
  method: "GET",
  path: "/choices",
  permission: "anyone",
  summary: "",
  query: Type.Object({
    decision: Type.Optional(Type.Union([Type.Literal("refused"), Type.Literal("allowed")])),
    states: Type.Optional(Type.Array(Type.Union([Type.Literal("open"), Type.Literal(3)]))),
    either: Type.Optional(Type.Union([Type.Object({ a: Type.String() }), Type.Literal("none")])),
  }),
  answer: () => {},
});

test.each([
  ["decision=x", "/decision", "must be one of refused, allowed"],
  ["states=open&states=x", "/states/1", "must be one of open, 3"],
  ["either=x", "/either", "expected union value"],
])("the query %s is refused with the values that there are", (query, pointer, detail) => {
  let thrown: unknown;
  try {
    readQuery(TAKES_CHOICES, `http://localhost/choices?${query}`);
  } catch (error) {
    thrown = error;
  }
  expect((thrown as ServiceError).options.errors).toEqual([{ pointer, detail }]);
});

test("a body is refused where it goes deeper than 64 levels, and looked at no further", async () => {
  expect(await faultsOf(nested(64))).toEqual([]);
  for (const levels of [65, 8000]) {
    expect(await faultsOf(nested(levels))).toEqual([
      { pointer: "/0".repeat(64), detail: "must not lie more than 64 levels deep" },
    ]);
  }
});

test("texts that no store keeps are told with their places, at most 20 of them", async () => {
  expect(await faultsOf(JSON.stringify({ a: ["fine", "\0"], b: { c: "\ud800" } }))).toEqual([
    { pointer: "/a/1", detail: "must not contain NUL characters" },
    { pointer: "/b/c", detail: "must be valid Unicode, without lone surrogates" },
  ]);
  expect(await faultsOf(JSON.stringify(Array.from({ length: 1000 }, () => "\0")))).toHaveLength(20);
});
