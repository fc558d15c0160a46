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

  describe("of visitors who share a token", () => {
    let behindProxy: TestParley;
    beforeAll(async () => {
      const shop = shopBot({ handoff: { fields: ["message"] } });
      behindProxy = await startParley({ bots: [shop], flags: { trustProxy: "127.0.0.1" } });
    });
    afterAll(() => behindProxy[Symbol.asyncDispose]());

    const say = async (key: string, address: string, conversationId?: string) => {
      const headers = { "Idempotency-Key": key, "X-Forwarded-For": address };
      const body = { ...MESSAGE, ...(conversationId !== undefined && { conversationId }) };
      return (await bodyOf(await behindProxy.chat(body, { headers }))).conversationId;
    };

    test("gives none the conversation of another where it is short enough to be guessed", async () => {
      const first = await say("order-1", "203.0.113.1");
      expect(await say("order-1", "203.0.113.2")).not.toBe(first);
      expect(await say("order-1", "203.0.113.1")).toBe(first);
      const sixth = await say("order-1", "2001:db8::1");
      expect(await say("order-1", "2001:db8::2")).toBe(sixth);
    });

    test("is the token's from 16 characters on, and in a conversation that is named", async () => {
      const first = await say("0123456789abcdef", "203.0.113.1");
      expect(await say("0123456789abcdef", "203.0.113.2")).toBe(first);
      expect(await say("0123456789abcde", "203.0.113.1")).not.toBe(
        await say("0123456789abcde", "203.0.113.2"),
      );
      await say("next-1", "203.0.113.1", first);
      await say("next-1", "203.0.113.2", first);
      expect(await behindProxy.store.conversations.listTurns(first)).toHaveLength(2);
    });

    test("gives none the hand-off of another either", async () => {
      const ask = async (address: string) => {
        const response = await fetch(`${behindProxy.url}/handoff`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${behindProxy.token}`,
            "Content-Type": "application/json",
            "Idempotency-Key": "person-1",
            "X-Forwarded-For": address,
          },
          body: JSON.stringify({ botId: "shop" }),
        });
        return ((await response.json()) as { conversationId: string }).conversationId;
      };
      const first = await ask("203.0.113.1");
      expect(first).toStartWith("cv_");
      expect(await ask("203.0.113.2")).not.toBe(first);
      expect(await ask("203.0.113.1")).toBe(first);
    });
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
