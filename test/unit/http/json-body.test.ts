import { describe, expect, spyOn, test } from "bun:test";

import { readJson } from "../../../src/http/json-body.ts";

const MOST = 12 * 1024 * 1024;

const read = (body: string) =>
  readJson(
    new Request("http://a/", { method: "POST", body, headers: { "Content-Type": "application/json" } }),
    MOST,
  );

describe("a JSON body", () => {
  test.each([
    ["[".repeat(MOST)],
    ['{"a":'.repeat(100_000)],
    [`{"yaml":"\\"${"x".repeat(100)}","b":${"[".repeat(20_000)}`],
  ])("that nests too deep is refused before it is parsed: %.20s", async (body) => {
    const parsing = spyOn(JSON, "parse");
    try {
      await expect(read(body)).rejects.toThrow("The request body nests more than 10000 levels deep.");
      expect(parsing).not.toHaveBeenCalled();
    } finally {
      parsing.mockRestore();
    }
  });

  test.each([
    [`[${"1,".repeat(1_000_000)}1]`],
    [`{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join(",")}}`],
  ])("that holds too many values is refused before it is parsed: %.20s", async (body) => {
    const parsing = spyOn(JSON, "parse");
    try {
      await expect(read(body)).rejects.toThrow("The request body holds too many values.");
      expect(parsing).not.toHaveBeenCalled();
    } finally {
      parsing.mockRestore();
    }
  });

  test("may hold any text, of any length", async () => {
    for (const yaml of ["[".repeat(5_000_000), '"\\'.repeat(1_000_000), "{,".repeat(100_000), '\\\\"', ""])
      expect(await read(JSON.stringify({ yaml, after: [1] }))).toEqual({ yaml, after: [1] });
  });

  test("that is no JSON is told so", async () => {
    for (const body of ['{"a', '"a\\', "{]", '"\\"', ""])
      await expect(read(body)).rejects.toThrow("The request body is not valid JSON.");
  });
});
