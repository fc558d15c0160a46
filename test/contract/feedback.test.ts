import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { shopBot } from "../support/bots.ts";
import { type TestParley, startParley } from "../support/parley.ts";

let parley: TestParley;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  parley = await startParley({
    onLog: (line) => lines.push(line),
    bots: [shopBot({ id: "shop" }), shopBot({ id: "other" })],
  });
});
afterAll(() => parley[Symbol.asyncDispose]());

async function ask(input = "where is my order") {
  const response = await parley.chat({ botId: "shop", input });
  const { conversationId } = (await response.json()) as { conversationId: string };
  return { conversationId, requestId: response.headers.get("X-Request-Id")! };
}

function rate(body: unknown, { token = parley.token, headers = {} } = {}) {
  return fetch(`${parley.url}/feedback`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  });
}

const problemOf = async (response: Response) => (await response.json()) as { code: string; detail: string };

describe("POST /feedback", () => {
  test("stores whether an answer helped, and why; the last rating counts", async () => {
    const answer = await ask();
    expect((await rate({ ...answer, rating: "down", reason: "too vague" })).status).toBe(204);
    expect(await parley.store.feedback.listOf(answer.conversationId)).toEqual([
      { requestId: answer.requestId as never, rating: "down", reason: "too vague", at: expect.any(Number) },
    ]);
    expect((await rate({ ...answer, rating: "up" })).status).toBe(204);
    expect(await parley.store.feedback.listOf(answer.conversationId)).toEqual([
      { requestId: answer.requestId as never, rating: "up", at: expect.any(Number) },
    ]);
  });

  test.each([
    ["whole", {}],
    ["streamed", { Accept: "text/event-stream" }],
  ])("takes what an answer carries that its Idempotency-Key got again, %s", async (name, accept) => {
    const headers = { "Idempotency-Key": `again-${name}`, ...accept };
    const send = async () => {
      const response = await parley.chat({ botId: "shop", input: "where is my order" }, { headers });
      return { text: await response.text(), requestId: response.headers.get("X-Request-Id")! };
    };
    const [first, joined] = await Promise.all([send(), send()]);
    const again = await send();
    expect([joined.requestId, again.requestId]).toEqual([first.requestId, first.requestId]);
    const conversationId = /"conversationId":"([^"]+)"/.exec(again.text)![1]!;
    expect((await rate({ conversationId, requestId: again.requestId, rating: "up" })).status).toBe(204);
    expect(await parley.store.feedback.listOf(conversationId)).toMatchObject([{ rating: "up" }]);
    const mine = lines.filter(({ requestId, msg }) => requestId === first.requestId && msg === "request");
    expect(mine.map(({ isRepeat }) => isRepeat ?? false).toSorted((a, b) => Number(a) - Number(b))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("knows no answer by the id of another conversation", async () => {
    const [first, second] = [await ask(), await ask()];
    const response = await rate({ ...first, conversationId: second.conversationId, rating: "up" });
    expect(response.status).toBe(404);
    expect((await problemOf(response)).code).toBe("NOT_FOUND");
  });

  test("takes no rating by a token of another bot", async () => {
    const answer = await ask();
    const response = await rate({ ...answer, rating: "up" }, { token: await parley.issueToken(["other"]) });
    expect(response.status).toBe(401);
    expect(await parley.store.feedback.listOf(answer.conversationId)).toEqual([]);
  });

  test.each([
    [{ rating: "up" }, "/conversationId"],
    [{ conversationId: "c", requestId: "r", rating: "sideways" }, "/rating"],
    [{ conversationId: "c", requestId: "r", rating: "up", reason: "x".repeat(1001) }, "/reason"],
    [{ conversationId: "c", requestId: "r", rating: "up", reason: "\u{0}" }, "/reason"],
    [[], ""],
  ])("refuses %j at %p", async (body, pointer) => {
    const response = await rate(body);
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map((fault) => fault.pointer)).toContain(pointer);
  });

  test("says what a rating may be, and that it is missing", async () => {
    const rated = { conversationId: "c", requestId: "r" };
    const details = await Promise.all(
      [{ ...rated, rating: "sideways" }, rated].map(
        async (body) => ((await (await rate(body)).json()) as { detail: string }).detail,
      ),
    );
    expect(details[0]).toContain('`rating` must be "up" or "down"');
    expect(details[1]).toContain("`rating` is required");
  });

  test("goes with its conversation", async () => {
    const answer = await ask();
    await rate({ ...answer, rating: "down", reason: "canary" });
    await parley.store.erasure.erase([{ id: answer.conversationId }], {});
    expect(await parley.store.feedback.listOf(answer.conversationId)).toEqual([]);
    expect((await rate({ ...answer, rating: "up" })).status).toBe(404);
  });

  test("has a bucket of its own: who has rated much may still write", async () => {
    await using limited = await startParley({ flags: { rateLimitCapacity: "2", rateLimitPerMinute: "1" } });
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${limited.token}` };
    const post = () =>
      fetch(`${limited.url}/feedback`, { method: "POST", headers, body: JSON.stringify({ rating: "up" }) });
    expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([400, 400, 429]);
    expect((await limited.chat({ botId: "shop", input: "where is my order" })).status).toBe(200);
  });

  test("without stored messages, the reason is not stored either", async () => {
    await using sparing = await startParley({ flags: { storeMessages: "none" } });
    const response = await sparing.chat({ botId: "shop", input: "where is my order" });
    const { conversationId } = (await response.json()) as { conversationId: string };
    const body = {
      conversationId,
      requestId: response.headers.get("X-Request-Id"),
      rating: "down",
      reason: "secret",
    };
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${sparing.token}` };
    const rated = await fetch(`${sparing.url}/feedback`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect(rated.status).toBe(204);
    const [stored] = await sparing.store.feedback.listOf(conversationId);
    expect(stored).toMatchObject({ rating: "down" });
    expect(stored).not.toHaveProperty("reason");
  });
});
