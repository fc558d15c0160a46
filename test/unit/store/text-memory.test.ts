import { beforeEach, describe, expect, test } from "bun:test";

import type { RequestId } from "../../../src/domain/ids.ts";
import { TextMemory } from "../../../src/store/text-memory.ts";

const id = (name: string) => name as RequestId;
const texts = (input: string, response = "") => ({ input, response });
let at: number;
beforeEach(() => void (at = 0));
const memory = (mostCharacters = 10_000) => new TextMemory({ now: () => at, keptMs: 1000, mostCharacters });

describe("a memory of texts", () => {
  test("remembers them for their time, whether or not anybody tidies up", () => {
    const kept = memory();
    kept.remember(id("a"), texts("hello"));
    at = 999;
    expect(kept.find(id("a"))).toEqual(texts("hello"));
    at = 1000;
    expect(kept.find(id("a"))).toBeUndefined();
  });

  test("takes an answer that comes later, and keeps to the time of the message", () => {
    const kept = memory();
    kept.remember(id("a"), texts("hello"));
    at = 900;
    kept.remember(id("a"), texts("hello", "good day"));
    expect(kept.find(id("a"))).toEqual(texts("hello", "good day"));
    at = 1000;
    expect(kept.find(id("a"))).toBeUndefined();
  });

  test("forgets the oldest early rather than grow without bound", () => {
    const kept = memory(1000);
    for (const name of ["a", "b", "c", "d"]) kept.remember(id(name), texts("x".repeat(100)));
    expect(["a", "b", "c", "d"].map((name) => kept.find(id(name)) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    kept.remember(id("huge"), texts("x".repeat(5000)));
    expect(kept.find(id("d"))).toBeUndefined();
  });

  test("has room again for as much as has been forgotten", () => {
    const kept = memory(1000);
    for (let round = 0; round < 50; round++) {
      kept.remember(id(`a${round}`), texts("x".repeat(500)));
      at += 1000;
      kept.forgetOld();
    }
    kept.remember(id("last"), texts("x".repeat(700)));
    expect(kept.find(id("last"))).toBeDefined();
  });
});
