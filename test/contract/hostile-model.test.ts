import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { shopBot } from "../support/bots.ts";
import { type TestModelServer, counts, says, sendsBody, startModelServer } from "../support/model-server.ts";
import { type TestParley, startParley } from "../support/parley.ts";

const BUDGET = 100_000;
/** The prompt of these bots has fewer bytes, its marks included; an answer has 1,024 tokens at most. */
const MAX_TOKENS = 4096 + 1024;
const QUESTION = "where is my order";
let server: TestModelServer;
let parley: TestParley;

beforeAll(async () => {
  server = await startModelServer();
  const models = JSON.stringify({ local: { baseUrl: server.baseUrl, model: "tiny" } });
  const intents = shopBot().intents!.map(({ responses: _, ...intent }) => intent);
  const fields = { intents, responder: { kind: "model" as const }, monthlyTokenBudget: BUDGET };
  const bots = ["shop", "other"].map((id) => shopBot({ id, ...fields }));
  const judged = shopBot({
    id: "judged",
    classifier: { threshold: 0.6, judge: { model: "local", band: 0.5 } },
  });
  const schema = { type: "object", properties: { a: { const: "ok" } }, required: ["a"] };
  const formed = shopBot({
    id: "formed",
    ...fields,
    outputSchema: schema,
    fallbackResponse: '{"a":"ok"}',
  });
  const embedded = shopBot({ id: "embedded", classifier: { embeddings: { model: "local" } } });
  parley = await startParley({ bots: [...bots, judged, formed, embedded], flags: { models } });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(async () => {
  for (const { key } of await parley.store.bots.list()) await parley.store.usage.resetTokens(key, Date.now());
});

const tokensOf = async (botId: string) =>
  parley.store.usage.readTokens((await parley.store.bots.find(botId))!.key, Date.now());

async function metricOf(kind: string): Promise<number> {
  const text = await (await fetch(`${parley.server.operatorUrl}/metrics`)).text();
  const line = text
    .split("\n")
    .find((known) => known.startsWith("parley_model_tokens") && known.includes(kind));
  return Number(line?.split(" ").at(-1) ?? 0);
}

describe("what a model server says that it counted", () => {
  test("is spent from the budget as it is where it can be true", async () => {
    server.replyWith(counts({ prompt_tokens: 300, completion_tokens: 20 }));
    await parley.say(QUESTION);
    expect(await tokensOf("shop")).toBe(320);
  });

  test("never spends more than the prompt and `maxTokens` can have taken, however large it is", async () => {
    const before = await metricOf("prompt");
    server.replyWith(counts({ prompt_tokens: 2 ** 53 - 1, completion_tokens: 2 ** 53 - 1 }));
    for (let message = 1; message <= 3; message++) {
      await parley.say(QUESTION);
      expect(await tokensOf("shop")).toBeGreaterThan(message * 1024);
      expect(await tokensOf("shop")).toBeLessThan(message * MAX_TOKENS);
    }
    expect((await metricOf("prompt")) - before).toBeLessThan(3 * MAX_TOKENS);
  });

  test.each<[string, unknown]>([
    ["negative", { prompt_tokens: -1, completion_tokens: 5 }],
    ["no whole number", { prompt_tokens: 1.5, completion_tokens: 5 }],
    ["no exact number", { prompt_tokens: 1e300, completion_tokens: 5 }],
    ["text", { prompt_tokens: "12", completion_tokens: "5" }],
    ["a list", [1, 2]],
    ["a word", "many"],
    ["empty", {}],
    ["named as methods are", { toString: 1, constructor: 2 }],
  ])("is not believed where it is %s: the answer stands, and its tokens are estimated", async (_, usage) => {
    server.replyWith(counts(usage));
    const response = await parley.chat({ botId: "shop", input: QUESTION });
    expect(await response.json()).toMatchObject({ response: "Hello." });
    const turn = await parley.store.conversations.findTurnByRequest(response.headers.get("x-request-id")!);
    expect(turn?.receipt.model).toMatchObject({ isUsageEstimated: true });
    expect(await tokensOf("shop")).toBeGreaterThan(0);
    expect(await tokensOf("shop")).toBeLessThan(MAX_TOKENS);
  });

  test("is bounded in a stream, by a judge and by an embedding server, too", async () => {
    const usage = { prompt_tokens: 2 ** 53 - 1, completion_tokens: 2 ** 53 - 1 };
    server.replyWith(counts(usage));
    const headers = { Accept: "text/event-stream" };
    await (await parley.chat({ botId: "shop", input: QUESTION }, { headers })).text();
    expect(await tokensOf("shop")).toBeLessThan(MAX_TOKENS);
    await parley.say(QUESTION, { botId: "judged" });
    expect(await tokensOf("judged")).toBeGreaterThan(0);
    expect(await tokensOf("judged")).toBeLessThan(MAX_TOKENS);
    server.replyWith((response, { body }) => {
      const data = (body["input"] as string[]).map((_, index) => ({ index, embedding: [1, 0] }));
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ data, usage }));
    });
    await parley.say(QUESTION, { botId: "embedded" });
    expect(await tokensOf("embedded")).toBeGreaterThan(0);
    expect(await tokensOf("embedded")).toBeLessThan(100);
  });
});

test("an answer that names a field twice is sent as the schema saw it, in a stream too", async () => {
  server.replyWith(says('{ "a": "EVIL", "a": "ok" }'));
  const { response, metadata } = await parley.say(QUESTION, { botId: "formed" });
  expect([response, metadata.schemaEnforced, metadata.schemaFallbackUsed]).toEqual([
    '{"a":"ok"}',
    true,
    false,
  ]);
  const headers = { Accept: "text/event-stream" };
  const stream = await (await parley.chat({ botId: "formed", input: QUESTION }, { headers })).text();
  expect(stream).toContain(String.raw`{\"a\":\"ok\"}`);
  expect(stream).not.toContain("EVIL");
});

test("a vector of millions of numbers is taken for no vector, and the message is answered without", async () => {
  const embedding = `[${"1,".repeat(3_000_000)}1]`;
  server.replyWith(sendsBody(`{"data":[{"index":0,"embedding":${embedding}}]}`));
  const { response } = await parley.say("track my parcel please", { botId: "embedded" });
  expect(response).toBe("It is on its way.");
});

test("NUL and lone surrogates in an answer are replaced before anybody reads it, and in what is stored", async () => {
  server.replyWith(says("a\0b \uD83D c \uD83D\uDE00 \uDE00"));
  const sound = "a\uFFFDb \uFFFD c \uD83D\uDE00 \uFFFD";
  const response = await parley.chat({ botId: "other", input: QUESTION });
  expect(await response.json()).toMatchObject({ response: sound });
  const turn = await parley.store.conversations.findTurnByRequest(response.headers.get("x-request-id")!);
  expect(turn?.response).toBe(sound);
  const headers = { Accept: "text/event-stream" };
  const streamed = await (await parley.chat({ botId: "other", input: QUESTION }, { headers })).text();
  expect(streamed).toContain(JSON.stringify(sound));
  expect(streamed).not.toMatch(/\\u0000|\\ud83d"/i);
});
