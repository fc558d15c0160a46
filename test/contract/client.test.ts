import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { hashEmbedToken, newEmbedToken } from "../../src/access/secrets.ts";
import type { ChatEvent, ClientOptions, ParleyClient } from "../../src/client/public.d.ts";
import { type EmbedToken, newEmbedTokenId, secureRandomBytes } from "../../src/domain/ids.ts";
import { shopBot } from "../support/bots.ts";
import { type ClientFolder, downloadClient } from "../support/client.ts";
import { HANG_MS, eventually } from "../support/eventually.ts";
import { type TestModelServer, fails, says, startModelServer } from "../support/model-server.ts";
import { type TestOperator, signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";

const QUESTION = "where is my order";
const ANSWER = "It is on its way.";

let mock: TestModelServer;
let parley: TestParley;
let operator: TestOperator;
let token: EmbedToken;
let folder: ClientFolder;

beforeAll(async () => {
  mock = await startModelServer();
  const local = { baseUrl: mock.baseUrl, model: "tiny", timeoutMs: HANG_MS };
  const bots = [
    shopBot({ allowedDomains: ["shop.example"], handoff: {} }),
    shopBot({ id: "modelled", responder: { kind: "model" } }),
    shopBot({ id: "hurried", rateLimit: { capacity: 1, perMinute: 60 } }),
    shopBot({ id: "capped", monthlyMessageCap: 0 }),
  ];
  parley = await startParley({
    bots,
    flags: { models: JSON.stringify({ local }) },
    parts: { retryGraceMs: HANG_MS },
  });
  token = newEmbedToken(secureRandomBytes, "server");
  // One token for each bot: one of several is as slow as the slowest.
  await parley.store.embedTokens.create({
    id: newEmbedTokenId(Date.now(), secureRandomBytes, "server"),
    hash: hashEmbedToken(token),
    botIds: bots.filter(({ id }) => id !== "hurried").map(({ id }) => id),
  });
  operator = await signIn(parley, "ann");
  folder = await downloadClient(parley.url);
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await parley[Symbol.asyncDispose]();
  await mock[Symbol.asyncDispose]();
});
beforeEach(() => mock.replyWith(says("It left yesterday, by ship.")));

const clientOf = (botId = "shop", options: Partial<ClientOptions> = {}): ParleyClient =>
  folder.client.createClient({ endpoint: parley.url, token, botId, ...options });

const used = async (botId: string) =>
  parley.store.usage.read((await parley.store.bots.find(botId))!.key, Date.now());
const textOf = (told: readonly ChatEvent[]) =>
  told.map((event) => (event.type === "delta" ? event.text : "")).join("");

/** A connection to the service that can be cut. */
const proxied = () => TcpProxy.start(Number(new URL(parley.url).port));
const through = (proxy: TcpProxy, botId: string) =>
  clientOf(botId, { endpoint: `http://127.0.0.1:${proxy.port}` });

describe("the client, as it is served,", () => {
  test("asks, goes on with the conversation, and rates the answer", async () => {
    const client = clientOf();
    const first = await client.chat(QUESTION);
    expect(first).toEqual({
      conversationId: expect.stringMatching(/^cv_/) as string,
      requestId: expect.stringMatching(/^rq_/) as string,
      response: ANSWER,
      intentDetected: "orders.status",
      metadata: { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false },
    });
    const { conversationId, requestId } = first;
    const second = await client.chat("delete my account", { conversationId });
    expect(second.conversationId).toBe(conversationId);
    expect(second.metadata).toMatchObject({
      enforcementReason: "DENY_LIST",
      handoff: { state: "offered" },
    });
    await client.rate({ conversationId, requestId, rating: "down", reason: "too short" });
    expect(await parley.store.feedback.listOf(conversationId)).toMatchObject([
      { requestId, rating: "down", reason: "too short" },
    ]);
  });

  test("streams: the decision, the text in pieces, the whole answer", async () => {
    const told = await Array.fromAsync(clientOf("modelled").stream(QUESTION));
    expect(told.map(({ type }) => type)).toEqual(["meta", ...Array<"delta">(5).fill("delta"), "done"]);
    expect(textOf(told)).toBe("It left yesterday, by ship.");
    expect(told[0]).toMatchObject({ intentDetected: "orders.status", capabilityAllowed: true });
    expect(told.at(-1)).toMatchObject({ answer: { response: textOf(told) } });
  });

  test("reads what the bot shows on pages", async () => {
    expect(await clientOf().embedConfig()).toMatchObject({
      botName: "Shop",
      handoff: { offer: expect.arrayContaining(["refused"]) as string[] },
    });
  });
});

describe("a connection that drops", () => {
  test("before the answer arrives: it is asked for again, counted and stored once, and can be rated", async () => {
    await using proxy = await proxied();
    const before = await used("shop");
    proxy.mode = "swallow";
    const asked = through(proxy, "shop").chat(QUESTION);
    await eventually(async () => (await used("shop")) === before + 1);
    proxy.mode = "pass";
    proxy.cut();
    const { response, conversationId, requestId } = await asked;
    expect(response).toBe(ANSWER);
    await through(proxy, "shop").rate({ conversationId, requestId, rating: "up" });
    expect(await parley.store.feedback.listOf(conversationId)).toMatchObject([{ requestId, rating: "up" }]);
    expect(await used("shop")).toBe(before + 1);
    expect(await parley.store.conversations.listTurns(conversationId)).toHaveLength(1);
  });

  test("in the middle of a stream: the text goes on where it broke, from one call of the model", async () => {
    await using proxy = await proxied();
    const before = await used("modelled");
    const cut = Promise.withResolvers<void>();
    mock.replyWith(async (response) => {
      const chunk = (content: string) =>
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      chunk("It left ");
      await cut.promise;
      chunk("yesterday.");
      response.end("data: [DONE]\n\n");
    });
    const told: ChatEvent[] = [];
    for await (const event of through(proxy, "modelled").stream(QUESTION)) {
      told.push(event);
      if (event.type !== "delta" || event.text !== "It left ") continue;
      proxy.cut();
      cut.resolve();
    }
    expect(told).toMatchObject([
      { type: "meta" },
      { type: "delta", text: "It left " },
      { type: "delta", text: "yesterday." },
      { type: "done", answer: { response: "It left yesterday." } },
    ]);
    expect(mock.requests).toHaveLength(1);
    expect(await used("modelled")).toBe(before + 1);
  });
});

describe("a refusal of the service", () => {
  test("for a while is waited for", async () => {
    const own = await parley.issueToken(["hurried"]);
    const statuses: number[] = [];
    const client = clientOf("hurried", {
      token: own,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        statuses.push(response.status);
        return response;
      },
    });
    const { conversationId } = await client.chat(QUESTION);
    await client.chat(QUESTION, { conversationId });
    expect(statuses).toEqual([200, 429, 200]);
    expect(await parley.store.conversations.listTurns(conversationId)).toHaveLength(2);
  });

  test("by a model that fails once is mended, whole and streamed", async () => {
    const before = await used("modelled");
    mock.replyWith(fails(400), says("Here."));
    expect((await clientOf("modelled").chat(QUESTION)).response).toBe("Here.");
    mock.replyWith(fails(400), says("Here."));
    expect(textOf(await Array.fromAsync(clientOf("modelled").stream(QUESTION)))).toBe("Here.");
    expect(await used("modelled")).toBe(before + 2);
  });

  test.each([
    ["a token that is not known", "shop", { token: "parley_st_x" }, QUESTION, 401, "UNAUTHORIZED"],
    ["a bot that is not there", "nobody", {}, QUESTION, 404, "NOT_FOUND"],
    ["the cap", "capped", {}, QUESTION, 429, "MESSAGE_CAP_EXCEEDED"],
    ["a blank message", "shop", {}, " ", 400, "INVALID_REQUEST"],
  ])("because of %s is an error with its reason, at once", async (_, botId, options, input, status, code) => {
    const client = clientOf(botId, options);
    for (const ask of [() => client.chat(input), () => Array.fromAsync(client.stream(input))]) {
      const error: unknown = await ask().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(folder.client.ParleyError);
      expect(error).toMatchObject({
        status,
        code,
        isRetryable: false,
        requestId: expect.stringMatching(/^rq_/),
      });
    }
  });

  test("by somebody else at the address says so", async () => {
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("<h1>Hello</h1>") });
    const endpoint = `http://127.0.0.1:${other.port}`;
    const error: unknown = await clientOf("shop", { endpoint })
      .chat(QUESTION)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "INVALID_RESPONSE",
      message: `What answers at ${endpoint}/chat is not Parley; check \`endpoint\`.`,
    });
  });
});

test("a hand-off is asked for once, followed to its end, and the person heard", async () => {
  const client = clientOf();
  const { conversationId } = await client.chat("delete my account");
  const idempotencyKey = "wanted";
  const asked = await client.handoff({ conversationId, message: "Please call" }, { idempotencyKey });
  expect(asked).toMatchObject({ conversationId, state: "open", isNew: true });
  expect(await client.handoff({ conversationId, message: "Please call" }, { idempotencyKey })).toEqual(asked);
  const following = Array.fromAsync(client.follow(conversationId));
  const act = (what: string, body?: object) =>
    operator.json("POST", `/handoffs/${asked.handoffId}/${what}`, body);
  await act("take");
  expect((await client.chat("hello?", { conversationId })).metadata.handoff).toEqual({ state: "live" });
  await act("messages", { text: "It is done." });
  await act("close");
  expect((await following).map(({ kind, text }) => [kind, text])).toEqual([
    ["state", "live"],
    ["visitor", "hello?"],
    ["operator", "It is done."],
    ["state", "closed"],
  ]);
});

test("a hand-off after one that was closed is followed to its own end, also from the beginning", async () => {
  const client = clientOf();
  const { conversationId } = await client.chat("delete my account");
  const act = (id: string, what: string) => operator.json("POST", `/handoffs/${id}/${what}`);
  const earlier = await client.handoff({ conversationId });
  await act(earlier.handoffId, "close");
  const { handoffId, isNew } = await client.handoff({ conversationId });
  expect(isNew).toBe(true);
  const stream = client.follow(conversationId);
  expect((await stream.next()).value).toMatchObject({ text: "closed" });
  const following = Array.fromAsync(stream);
  await act(handoffId, "take");
  await act(handoffId, "close");
  expect((await following).map(({ text }) => text)).toEqual(["live", "closed"]);
});
