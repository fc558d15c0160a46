import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { hashEmbedToken, newEmbedToken, parseEmbedToken } from "../../../src/access/secrets.ts";
import { secureRandomBytes } from "../../../src/domain/ids.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const zeros = (length: number) => new Uint8Array(length);
const ofZeros = newEmbedToken(zeros);

const anyEmbedToken = fc
  .uint8Array({ minLength: 60, maxLength: 60 })
  .map((bytes) => newEmbedToken((length) => Uint8Array.from({ length }, (_, i) => bytes[i % 60]! % 248)));

describe("an embed token", () => {
  test("has the published form, and stays the same for the same random bytes", () => {
    expect(ofZeros).toMatch(/^parley_et_0{30}[0-9A-Za-z]{6}$/);
    expect<string>(ofZeros).toBe("parley_et_0000000000000000000000000000001Q1POS");
  });

  test("is another one each time", () => {
    expect(newEmbedToken(secureRandomBytes)).not.toBe(newEmbedToken(secureRandomBytes));
  });

  test("parses to itself", () => {
    fc.assert(fc.property(anyEmbedToken, (token) => parseEmbedToken(token) === token));
  });

  test("is refused with any one character changed", () => {
    fc.assert(
      fc.property(
        anyEmbedToken,
        fc.nat({ max: 45 }),
        fc.constantFrom(...BASE62.split(""), "_", "-", " "),
        (token, at, character) => {
          fc.pre(token[at] !== character);
          return parseEmbedToken(token.slice(0, at) + character + token.slice(at + 1)) === undefined;
        },
      ),
    );
  });

  test.each([
    ["empty text", ""],
    ["the prefix alone", "parley_et_"],
    ["a character short", ofZeros.slice(0, -1)],
    ["a character long", `${ofZeros}0`],
    ["a line break after it", `${ofZeros}\n`],
    ["a space before it", ` ${ofZeros}`],
    ["an upper-case prefix", ofZeros.replace("parley", "PARLEY")],
    ["a full-width digit", ofZeros.replace("0", "０")],
    ["a megabyte", `parley_et_${"0".repeat(1_000_000)}`],
  ])("is refused: %s", (_case, text) => {
    expect(parseEmbedToken(text)).toBeUndefined();
  });

  test("is stored as the 32 bytes of its SHA-256", () => {
    const hash = hashEmbedToken(ofZeros);
    expect(hash).toHaveLength(32);
    expect(Buffer.from(hash).toString("hex")).toBe(new Bun.SHA256().update(ofZeros).digest("hex"));
  });
});
