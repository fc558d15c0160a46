import { describe, expect, test } from "bun:test";

import { parseBearer } from "../../../src/access/secrets.ts";

describe("the Authorization header", () => {
  test.each([
    ["the usual form", "Bearer abc", "abc"],
    ["the scheme in lower case", "bearer abc", "abc"],
    ["the scheme in upper case", "BEARER abc", "abc"],
    ["several spaces", "Bearer   abc", "abc"],
    ["white space around it", " \tBearer abc\t ", "abc"],
    ["every character of a token68", "Bearer aZ09-._~+/==", "aZ09-._~+/=="],
    ["the longest header that is read", `Bearer ${"a".repeat(1017)}`, "a".repeat(1017)],
  ])("yields its credentials: %s", (_case, header, credentials) => {
    expect(parseBearer(header)).toBe(credentials);
  });

  test.each([
    ["absent", null],
    ["empty", ""],
    ["the scheme alone", "Bearer"],
    ["the scheme and a space", "Bearer "],
    ["a tab after the scheme", "Bearer\tabc"],
    ["no space", "Bearerabc"],
    ["another scheme", "Basic YTpi"],
    ["no scheme", "abc"],
    ["two tokens", "Bearer abc def"],
    ["two headers joined into one", "Bearer abc, Bearer def"],
    ["quotes", 'Bearer "abc"'],
    ["padding in the middle", "Bearer ab=c"],
    ["only padding", "Bearer ="],
    ["a line break", "Bearer abc\n"],
    ["letters beyond ASCII", "Bearer ábc"],
    ["the long s that upper-cases to S", "Bearer ſ"],
    ["a header that is too long", `Bearer ${"a".repeat(1018)}`],
    ["a megabyte of spaces", `Bearer ${" ".repeat(1_000_000)}`],
  ])("yields nothing: %s", (_case, header) => {
    expect(parseBearer(header)).toBeUndefined();
  });
});
