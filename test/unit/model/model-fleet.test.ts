import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { ModelCall } from "../../../src/domain/completion.ts";
import { type ModelFleet, openModelFleet } from "../../../src/model/model-fleet.ts";
import {
  type TestModelServer,
  breaksOffAfter,
  fails,
  says,
  sends,
  startModelServer,
} from "../../support/model-server.ts";

const REQUEST = { messages: [{ role: "user" as const, content: "hi" }], maxTokens: 64 };
const signal = new AbortController().signal;
const observed: ModelCall[] = [];
let first: TestModelServer;
let second: TestModelServer;
let fleet: ModelFleet;

beforeAll(async () => {
  [first, second] = await Promise.all([startModelServer(), startModelServer()]);
});
afterAll(async () => {
  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
});
beforeEach(() => {
  observed.length = 0;
  fleet = openModelFleet(
    {
      first: { baseUrl: first.baseUrl, model: "m1", apiKeyEnv: "FIRST_KEY" },
      second: { baseUrl: second.baseUrl, model: "m2" },
    },
    { FIRST_KEY: "sk-1", OTHER: "sk-2" },
    { now: Date.now, random: () => 0, sleep: async () => {} },
    (call) => void observed.push(call),
  );
});

describe("failover", () => {
  test("asks the next server when one fails, in the order that the bot names", async () => {
    first.replyWith(says("from the first"));
    second.replyWith(fails(403));
    const { completion, calls } = await fleet.complete(["second", "first"], REQUEST, { signal });
    expect(completion).toMatchObject({ outcome: "ok", text: "from the first", server: "first" });
    expect(calls).toMatchObject([
      { server: "second", outcome: "unavailable", reason: "status 403" },
      { server: "first", outcome: "ok" },
    ]);
    expect(observed).toEqual([...calls]);
  });

  test("asks every server of the config when the bot names none", async () => {
    first.replyWith(fails(400));
    second.replyWith(says("hello"));
    expect((await fleet.complete(undefined, REQUEST, { signal })).completion).toMatchObject({
      server: "second",
    });
  });

  test("takes a refusal for an answer", async () => {
    first.replyWith(sends({ refusal: "no" }));
    second.replyWith(says("yes"));
    expect((await fleet.complete(undefined, REQUEST, { signal })).completion).toMatchObject({
      outcome: "declined",
    });
    expect(second.requests).toEqual([]);
  });

  test("does not begin a second answer after the first one broke off", async () => {
    first.replyWith(breaksOffAfter("Half an "));
    second.replyWith(says("Whole answer."));
    const pieces: string[] = [];
    const { completion } = await fleet.complete(undefined, REQUEST, {
      signal,
      onText: (text) => void pieces.push(text),
    });
    expect(completion).toMatchObject({ outcome: "unavailable" });
    expect(pieces).toEqual(["Half an "]);
    expect(second.requests).toEqual([]);
  });

  test("says so when no such server is configured", async () => {
    expect(await fleet.complete(["third"], REQUEST, { signal })).toEqual({
      completion: { outcome: "unavailable", reason: "no such model server is configured" },
      calls: [],
      givenUp: 0,
    });
  });
});

test("each server gets the key of its own variable, or none", async () => {
  first.replyWith(fails(401));
  second.replyWith(says("hello"));
  await fleet.complete(undefined, REQUEST, { signal });
  expect(first.requests[0]?.headers.authorization).toBe("Bearer sk-1");
  expect(second.requests[0]?.headers.authorization).toBeUndefined();
});
