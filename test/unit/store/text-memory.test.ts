import { beforeEach, describe, expect, test } from "bun:test";

import type { ConversationId, IntentName, RequestId } from "../../../src/domain/ids.ts";
import { TextMemory } from "../../../src/store/text-memory.ts";

const id = (name: string) => name as RequestId;
const texts = (input: string, response = "") => ({ input, response });
const MINUTE_MS = 60_000;
const NUMBER = { type: "text", value: "48213", from: "reply" } as const;
const COLOUR = { type: "choice", value: "blue", from: "reply" } as const;
const OPEN = { intent: "orders.cancel" as IntentName, wrong: 0 };
const given = (value: string) => ({
  ...texts("hello"),
  action: { values: { number: { ...NUMBER, value, isProof: true as const }, colour: COLOUR }, open: OPEN },
});
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

describe("a memory of what was given for actions", () => {
  const ANN = "cv_ann" as ConversationId;
  const BOB = "cv_bob" as ConversationId;
  const kept = () => new TextMemory({ now: () => at, keptMs: 30 * MINUTE_MS, mostCharacters: 10_000 });
  const ofProof = (said: TextMemory, name: string) => said.find(id(name))?.action?.values["number"]?.value;

  test("forgets a proof and what is open a quarter of an hour after its message, and no more", () => {
    const said = kept();
    said.remember(id("a"), given("48213"), ANN);
    at = 15 * MINUTE_MS - 1;
    expect(ofProof(said, "a")).toBe("48213");
    at = 15 * MINUTE_MS;
    expect(said.find(id("a"))).toEqual({ ...texts("hello"), action: { values: { colour: COLOUR } } });
  });

  test("keeps proofs of a conversation with its latest turn alone", () => {
    const said = kept();
    said.remember(id("a"), given("48213"), ANN);
    said.remember(id("b"), given("99999"), BOB);
    at = 10 * MINUTE_MS;
    said.remember(id("c"), given("48213"), ANN);
    expect(["a", "b", "c"].map((name) => ofProof(said, name))).toEqual([undefined, "99999", "48213"]);
    at = 20 * MINUTE_MS;
    expect(["b", "c"].map((name) => ofProof(said, name))).toEqual([undefined, "48213"]);
  });

  test("forgets proofs of a conversation at a turn that knows them no more, as a goodbye", () => {
    const said = kept();
    said.remember(id("a"), given("48213"), ANN);
    said.remember(id("b"), texts("when are you open"), ANN);
    expect(ofProof(said, "a")).toBe("48213");
    said.remember(id("c"), { ...texts("bye"), action: { values: {} } }, ANN);
    expect(ofProof(said, "a")).toBeUndefined();
  });

  test("keeps a proof whose turn is remembered again with its answer", () => {
    const said = kept();
    said.remember(id("a"), given("48213"), ANN);
    at = 14 * MINUTE_MS;
    said.remember(id("a"), given("48213"), ANN);
    expect(ofProof(said, "a")).toBe("48213");
    at = 15 * MINUTE_MS;
    expect(ofProof(said, "a")).toBeUndefined();
  });

  test("has room again for the proofs that were forgotten", () => {
    const said = new TextMemory({ now: () => at, keptMs: 30 * MINUTE_MS, mostCharacters: 2000 });
    said.remember(id("a"), given("4".repeat(1000)), ANN);
    at = 15 * MINUTE_MS;
    said.forgetOld();
    said.remember(id("b"), texts("x".repeat(1000)), BOB);
    expect(said.find(id("a"))).toBeDefined();
  });
});
