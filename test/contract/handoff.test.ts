import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { HandoffResponse } from "../../src/domain/handoff.ts";
import { shopBot } from "../support/bots.ts";
import { type TestParley, startParley } from "../support/parley.ts";

let parley: TestParley;

beforeAll(async () => {
  parley = await startParley({
    bots: [
      shopBot({
        id: "shop",
        handoff: {
          fields: ["name", "email", "message"],
          hours: { timezone: "Europe/Berlin", open: ["Mo-Fr 09:00-17:00"] },
        },
      }),
      shopBot({ id: "alone" }),
    ],
  });
});
afterAll(() => parley[Symbol.asyncDispose]());

function ask(body: Record<string, unknown>, headers: Record<string, string> = {}) {
  return fetch(`${parley.url}/handoff`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}`, ...headers },
    body: JSON.stringify({ botId: "shop", ...body }),
  });
}
const asked = async (response: Response) => (await response.json()) as HandoffResponse;

describe("POST /handoff", () => {
  test("is stored with its conversation, with what the form asks for and nothing else", async () => {
    const { conversationId } = await parley.say("where is my order");
    const response = await ask({
      conversationId,
      name: " Ada ",
      email: "ada@example.com",
      phone: "+49 30 123456",
      message: "Please call",
      shareTranscript: true,
    });
    expect(response.status).toBe(200);
    const answer = await asked(response);
    expect(answer).toEqual({
      handoffId: expect.stringMatching(/^ho_/),
      conversationId,
      state: "open",
      isNew: true,
    });
    expect(await parley.store.handoffs.find(answer.handoffId)).toMatchObject({
      botId: "shop",
      fields: { name: "Ada", email: "ada@example.com", message: "Please call" },
      sharesTranscript: true,
      state: "open",
    });
    const [latest] = await parley.store.handoffs.list({ limit: 1 });
    expect(latest?.fields).not.toHaveProperty("phone");
  });

  test("a conversation has one at a time, and another when that is closed", async () => {
    const { conversationId } = await parley.say("where is my order");
    const first = await asked(await ask({ conversationId }));
    const again = await asked(await ask({ conversationId }));
    expect(again).toEqual({ ...first, isNew: false });
    expect(await parley.store.handoffs.close(first.handoffId, Date.now())).toBe(true);
    const next = await asked(await ask({ conversationId }));
    expect(next).toMatchObject({ conversationId, isNew: true });
    expect(next.handoffId).not.toBe(first.handoffId);
  });

  test("who asks again completes the one that is open: what is given counts, messages are added", async () => {
    const { conversationId } = await parley.say("where is my order");
    const first = await asked(await ask({ conversationId, name: "Ada", message: "Please call" }));
    const opened = (await parley.store.handoffs.find(first.handoffId))!;
    const more = { email: "ada@example.com", message: "It is urgent", shareTranscript: true };
    expect(await asked(await ask({ conversationId, ...more }))).toEqual({ ...first, isNew: false });
    expect(await asked(await ask({ conversationId, name: "Ada L." }))).toEqual({ ...first, isNew: false });
    const completed = (await parley.store.handoffs.find(first.handoffId))!;
    expect(completed).toMatchObject({
      fields: { name: "Ada L.", email: "ada@example.com", message: "Please call\n\nIt is urgent" },
      sharesTranscript: true,
      createdAt: opened.createdAt,
    });
    expect(completed.updatedAt).toBeGreaterThan(opened.updatedAt);
  });

  test("who asks again with nothing new changes nothing, also without a key", async () => {
    const { conversationId } = await parley.say("where is my order");
    const body = { conversationId, name: "Ada", message: "Please call" };
    const { handoffId } = await asked(await ask(body));
    await ask({ conversationId, message: "again" });
    const before = await parley.store.handoffs.find(handoffId);
    await ask(body);
    await ask({ conversationId, message: "again" });
    expect(await parley.store.handoffs.find(handoffId)).toEqual(before);
  });

  test("what completes one under a key does so once, and another body is refused", async () => {
    const { conversationId } = await parley.say("where is my order");
    const first = await asked(
      await ask({ conversationId, message: "one" }, { "Idempotency-Key": "first-1" }),
    );
    const key = { "Idempotency-Key": "second-1" };
    const both = await Promise.all(
      [0, 1, 2, 3].map(async () => asked(await ask({ conversationId, message: "two" }, key))),
    );
    expect(both).toEqual(both.map(() => ({ ...first, isNew: false })));
    await ask({ conversationId, message: "three" });
    expect(await asked(await ask({ conversationId, message: "two" }, key))).toEqual(both[0]!);
    expect((await ask({ conversationId, message: "other" }, key)).status).toBe(422);
    const retried = await ask({ conversationId, message: "one" }, { "Idempotency-Key": "first-1" });
    expect(await asked(retried)).toEqual(first);
    const { fields } = (await parley.store.handoffs.find(first.handoffId))!;
    expect(fields.message).toBe("one\n\ntwo\n\nthree");
  });

  test("of many that complete one at the same moment, none is lost", async () => {
    const { conversationId } = await parley.say("where is my order");
    const { handoffId } = await asked(await ask({ conversationId }));
    const messages = Array.from({ length: 8 }, (_, at) => `message ${at}`);
    await Promise.all(messages.map((message) => ask({ conversationId, message })));
    const { fields } = (await parley.store.handoffs.find(handoffId))!;
    expect(fields.message!.split("\n\n").toSorted()).toEqual(messages);
  });

  test("of more than 16,000 characters of messages, the last is refused and nothing of it is stored", async () => {
    const { conversationId } = await parley.say("where is my order");
    const { handoffId } = await asked(await ask({ conversationId, message: "a".repeat(4000) }));
    for (const letter of "bcd") await ask({ conversationId, message: letter.repeat(3990) });
    const refused = await ask({ conversationId, name: "Ada", message: "e".repeat(100) });
    expect(refused.status).toBe(400);
    const { detail, errors } = (await refused.json()) as { detail: string; errors: { pointer: string }[] };
    expect(detail).toContain("16000 characters");
    expect(errors).toMatchObject([{ pointer: "/message" }]);
    const { fields } = (await parley.store.handoffs.find(handoffId))!;
    expect(fields.message).toHaveLength(4000 + 3 * 3992);
    expect(fields).not.toHaveProperty("name");
  });

  test("of many at the same moment in one conversation, one is opened", async () => {
    const { conversationId } = await parley.say("where is my order");
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => asked(await ask({ conversationId }))),
    );
    expect(new Set(answers.map(({ handoffId }) => handoffId)).size).toBe(1);
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  test("a retry with its key gets the same, another body is refused", async () => {
    const key = { "Idempotency-Key": "form-1" };
    const first = await asked(await ask({ message: "hi" }, key));
    expect(await asked(await ask({ message: "hi" }, key))).toEqual(first);
    const other = await ask({ message: "something else" }, key);
    expect(other.status).toBe(422);
  });

  test("without a conversation, or with one that is unknown, begins one", async () => {
    const first = await asked(await ask({}));
    expect(first.conversationId).toMatch(/^cv_/);
    const second = await asked(await ask({ conversationId: "cv_unknown" }));
    expect(second.conversationId).not.toBe("cv_unknown");
    expect(
      (await parley.say("where is my order", { conversationId: first.conversationId })).conversationId,
    ).toMatch(/^cv_/);
  });

  test("a bot without `handoff` hands nobody over", async () => {
    const response = await ask({ botId: "alone" });
    expect(response.status).toBe(403);
    expect(((await response.json()) as { detail: string }).detail).toContain("handoff");
  });

  test("goes with its conversation", async () => {
    const { conversationId, handoffId } = await asked(await ask({ message: "canary" }));
    await parley.store.erasure.erase([{ id: conversationId }], {});
    expect(await parley.store.handoffs.find(handoffId)).toBeUndefined();
  });

  test.each([
    [{ email: 7 }, "/email"],
    [{ message: "x".repeat(4001) }, "/message"],
    [{ shareTranscript: "yes" }, "/shareTranscript"],
    [{ email: "nope" }, "/email"],
    [{ email: "ada @example.com" }, "/email"],
    [{ email: "ada@example.com\r\nBcc: eve@example.com" }, "/email"],
    [{ email: "ada@example.com\n" }, "/email"],
    [{ email: "ada@one@two" }, "/email"],
    [{ phone: "call me" }, "/phone"],
    [{ name: "Ada\nBcc: eve@example.com" }, "/name"],
    [{ name: "A\u001b[2Jda" }, "/name"],
    [{ message: "call\u001b[2J me" }, "/message"],
  ])("refuses %j", async (body, pointer) => {
    const response = await ask(body);
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map((fault) => fault.pointer)).toContain(pointer);
  });

  test.each([
    {},
    { phone: "+49 30 12" },
    { phone: "٠٣٠١٢" },
    { message: "one\r\n\ttwo" },
    { email: " ü@exämple.de " },
  ])("takes %j", async (body) => {
    expect((await ask(body)).status).toBe(200);
  });

  test("says of a field that is wrong how it should be", async () => {
    const { detail } = (await (await ask({ email: "nope", phone: "none" })).json()) as { detail: string };
    expect(detail).toBe(
      "The request body is not valid: `email` must be an e-mail address, as `ann@example.com`; `phone` must be a phone number, with a digit at least.",
    );
  });

  test("counts nothing against the monthly cap", async () => {
    await using capped = await startParley({
      bots: [shopBot({ id: "shop", monthlyMessageCap: 1, handoff: {} })],
    });
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${capped.token}` };
    const post = () =>
      fetch(`${capped.url}/handoff`, { method: "POST", headers, body: JSON.stringify({ botId: "shop" }) });
    expect([(await post()).status, (await post()).status]).toEqual([200, 200]);
    expect((await capped.chat({ botId: "shop", input: "where is my order" })).status).toBe(200);
    expect((await capped.chat({ botId: "shop", input: "where is my order" })).status).toBe(429);
    expect((await post()).status).toBe(200);
  });
});

describe("a person is offered", () => {
  const GIBBERISH = "zxqv wpfj kkgh";

  test("where nothing was understood twice in a row", async () => {
    const first = await parley.say(GIBBERISH);
    expect(first.metadata).not.toHaveProperty("handoff");
    const second = await parley.say(GIBBERISH, { conversationId: first.conversationId });
    expect(second.metadata).toMatchObject({ handoff: { state: "offered" } });
  });

  test("to a visitor who is refused, and to one who asks for an intent of that kind; a retry hears the same", async () => {
    await using shop = await startParley({
      bots: [
        shopBot({
          id: "shop",
          handoff: {},
          capabilityProfile: { deny: ["billing"] },
          intents: [
            { name: "billing", examples: ["send me an invoice", "my invoice is wrong", "billing question"] },
            {
              name: "person",
              handoff: true,
              examples: ["talk to a person", "let me speak with a human", "real agent please"],
              responses: ["Of course."],
            },
          ],
        }),
      ],
    });
    const say = async (input: string, headers = {}) =>
      (await (await shop.chat({ botId: "shop", input }, { headers })).json()) as { metadata: object };
    expect((await say("send me an invoice")).metadata).toMatchObject({ handoff: { state: "offered" } });
    const key = { "Idempotency-Key": "one" };
    const person = await say("talk to a person", key);
    expect(person.metadata).toMatchObject({ capabilityAllowed: true, handoff: { state: "offered" } });
    expect(await say("talk to a person", key)).toEqual(person);
  });

  test("by a bot that hands nobody over, never", async () => {
    const first = await parley.say(GIBBERISH, { botId: "alone" });
    const second = await parley.say(GIBBERISH, { botId: "alone", conversationId: first.conversationId });
    expect(second.metadata).not.toHaveProperty("handoff");
  });

  test("the widget is told when, with which form, and at what hours", async () => {
    const config = (await (await fetch(`${parley.url}/embed-config?botId=shop`)).json()) as object;
    expect(config).toMatchObject({
      handoff: {
        offer: ["refused", "not_understood_twice", "cap", "asked"],
        fields: ["name", "email", "message"],
        hours: { timezone: "Europe/Berlin", open: ["Mo-Fr 09:00-17:00"] },
      },
    });
    const alone = (await (await fetch(`${parley.url}/embed-config?botId=alone`)).json()) as object;
    expect(alone).not.toHaveProperty("handoff");
  });
});

test("a caller asks for persons at half of the limit of messages, and a tenth of its pace, and may still write", async () => {
  const flags = { rateLimitCapacity: "4", rateLimitPerMinute: "60" };
  await using narrow = await startParley({ bots: [shopBot({ id: "shop", handoff: {} })], flags });
  const post = () =>
    fetch(`${narrow.url}/handoff`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${narrow.token}` },
      body: JSON.stringify({ botId: "shop" }),
    });
  expect([(await post()).status, (await post()).status]).toEqual([200, 200]);
  const refused = await post();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("RateLimit-Policy")).toContain("q=2");
  // Six a minute: nobody waits for longer than ten seconds.
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(1);
  expect((await narrow.chat({ botId: "shop", input: "where is my order" })).status).toBe(200);
});
