import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { shopBot } from "../support/bots.ts";
import { type ChatResponseBody, type TestParley, startParley } from "../support/parley.ts";

const MESSAGE = { botId: "shop", input: "where is my order" };
const clock = { nowMs: Date.UTC(2026, 10, 2) };
let parley: TestParley;

beforeAll(async () => {
  parley = await startParley({
    bots: [shopBot(), shopBot({ id: "capped", monthlyMessageCap: 1 })],
    parts: { now: () => clock.nowMs },
  });
});
afterAll(() => parley[Symbol.asyncDispose]());

const keyed = (key: string, token = parley.token) => ({ token, headers: { "Idempotency-Key": key } });
const used = async (botId: string) =>
  parley.store.usage.read((await parley.store.bots.find(botId))!.key, clock.nowMs);
const bodyOf = async (response: Response) => (await response.json()) as ChatResponseBody;

describe("an Idempotency-Key", () => {
  test("gives a retry the first answer, and counts it once", async () => {
    const before = await used("shop");
    const first = await bodyOf(await parley.chat(MESSAGE, keyed("retry")));
    const second = await bodyOf(await parley.chat(MESSAGE, keyed("retry")));
    expect(second).toEqual(first);
    expect(await used("shop")).toBe(before + 1);
    expect(await parley.store.conversations.listTurns(first.conversationId)).toHaveLength(1);
  });

  test("joins a request that is still running", async () => {
    const before = await used("shop");
    const answers = await Promise.all(Array.from({ length: 20 }, () => parley.chat(MESSAGE, keyed("race"))));
    const bodies = await Promise.all(answers.map(bodyOf));
    expect(new Set(bodies.map((body) => body.conversationId)).size).toBe(1);
    expect(await used("shop")).toBe(before + 1);
  });

  test("means the same message however its JSON is spelt", async () => {
    const first = await bodyOf(await parley.chat(MESSAGE, keyed("spelling")));
    const second = await bodyOf(
      await parley.chat(`{"input": "where is my order", "botId": "shop", "x": 1}`, keyed("spelling")),
    );
    expect(second).toEqual(first);
  });

  test("with another message is 422", async () => {
    await parley.chat(MESSAGE, keyed("reused"));
    const response = await parley.chat({ botId: "shop", input: "track my parcel please" }, keyed("reused"));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "INVALID_REQUEST", status: 422 });
  });

  test("is each token's own", async () => {
    const first = await bodyOf(await parley.chat(MESSAGE, keyed("shared")));
    const other = await bodyOf(
      await parley.chat(MESSAGE, keyed("shared", await parley.issueToken(["shop"]))),
    );
    expect(other.conversationId).not.toBe(first.conversationId);
  });

  test("is forgotten after 24 hours", async () => {
    const first = await bodyOf(await parley.chat(MESSAGE, keyed("old")));
    clock.nowMs += 24 * 60 * 60 * 1000 + 1;
    const second = await bodyOf(await parley.chat(MESSAGE, keyed("old")));
    expect(second.conversationId).not.toBe(first.conversationId);
  });

  test("answers a retry after the cap has been reached", async () => {
    const message = { ...MESSAGE, botId: "capped" };
    const first = await parley.chat(message, keyed("last"));
    const refused = await parley.chat(message, keyed("one-more"));
    const retry = await parley.chat(message, keyed("last"));
    expect([first.status, refused.status, retry.status]).toEqual([200, 429, 200]);
  });

  test.each(["", "a b", "ä", "x".repeat(256)])("%p is refused", async (key) => {
    const response = await fetch(`${parley.url}/chat`, {
      method: "POST",
      headers: [
        ["Authorization", `Bearer ${parley.token}`],
        ["Content-Type", "application/json"],
        ["Idempotency-Key", key],
      ],
      body: JSON.stringify(MESSAGE),
    });
    expect(response.status).toBe(400);
  });
});
