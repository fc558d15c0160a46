import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { BotDocument } from "../../src/domain/bot.ts";
import { takeEvents } from "../../src/domain/event-stream.ts";
import { type WrittenFields, shopBot } from "../support/bots.ts";
import { HANG_MS, eventually } from "../support/eventually.ts";
import {
  type TestModelServer,
  breaksOffAfter,
  drips,
  fails,
  says,
  stallsAfter,
  startModelServer,
} from "../support/model-server.ts";
import { type TestParley, startParley } from "../support/parley.ts";

const QUESTION = "where is my order";
let mock: TestModelServer;
let parley: TestParley;

beforeAll(async () => {
  mock = await startModelServer();
});
afterAll(() => mock[Symbol.asyncDispose]());

const modelled: WrittenFields = { responder: { kind: "model", models: ["local"] } };
const bots: BotDocument[] = [
  shopBot(modelled),
  shopBot({ id: "scripted" }),
  shopBot({ id: "hasty", responder: { kind: "model", models: ["impatient"] } }),
  shopBot({ ...modelled, id: "capped", monthlyMessageCap: 0 }),
  shopBot({ ...modelled, id: "frugal", monthlyTokenBudget: 1 }),
  shopBot({ ...modelled, id: "few", monthlyMessageCap: 2 }),
  shopBot({
    ...modelled,
    id: "kiosk",
    outputSchema: { type: "object", required: ["hours"] },
    fallbackResponse: '{"hours":"unknown"}',
  }),
];

/** @param retryGraceMs how long who has left with a key may come back. */
function start({ retryGraceMs = 50 } = {}): Promise<TestParley> {
  const local = { baseUrl: mock.baseUrl, model: "tiny", timeoutMs: HANG_MS };
  const impatient = { ...local, timeoutMs: 500 };
  return startParley({
    bots,
    flags: { models: JSON.stringify({ local, impatient }) },
    parts: { retryGraceMs },
  });
}

beforeEach(async () => {
  mock.replyWith(says("It left yesterday, by ship."));
  parley = await start();
});
afterEach(() => parley[Symbol.asyncDispose]());

interface SentEvent {
  event: string;
  data: Record<string, unknown>;
}

function stream(
  fields: { botId?: string; input?: string } = {},
  { signal, headers }: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${parley.url}/chat`, {
    method: "POST",
    ...(signal && { signal }),
    headers: {
      "Content-Type": "application/json",
      Authorization: `Bearer ${parley.token}`,
      Accept: "text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ botId: "shop", input: QUESTION, ...fields }),
  });
}

function parseEvents(text: string): SentEvent[] {
  const { events } = takeEvents(text);
  return events.map(({ event, data }) => ({ event, data: JSON.parse(data) as Record<string, unknown> }));
}

async function eventsOf(response: Response): Promise<SentEvent[]> {
  expect(response.status).toBe(200);
  return parseEvents(await response.text());
}

const textOf = (events: readonly SentEvent[]) =>
  events.flatMap(({ event, data }) => (event === "delta" ? [data["text"]] : [])).join("");
const storedTurn = async (response: Response) =>
  (await parley.store.conversations.findTurnByRequest(response.headers.get("x-request-id")!))!;
const used = async (botId = "shop") =>
  parley.store.usage.read((await parley.store.bots.find(botId))!.key, Date.now());

describe("an answer as server-sent events", () => {
  test("begins with the decision, goes on with text, and ends with the whole ChatResponse", async () => {
    const response = await stream();
    const events = await eventsOf(response);
    expect(events.map(({ event }) => event)).toEqual(["meta", ...Array<string>(5).fill("delta"), "done"]);
    const { conversationId } = events[0]!.data;
    expect(events[0]!.data).toEqual({
      conversationId,
      intentDetected: "orders.status",
      capabilityAllowed: true,
    });
    expect(events.at(-1)!.data).toEqual({
      conversationId,
      response: "It left yesterday, by ship.",
      intentDetected: "orders.status",
      metadata: { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false },
    });
    expect(textOf(events)).toBe("It left yesterday, by ship.");
    expect(await storedTurn(response)).toMatchObject({ state: "complete", response: textOf(events) });
  });

  test("carries the headers that keep proxies from holding it back", async () => {
    const { headers } = await stream();
    expect(headers.get("content-type")).toStartWith("text/event-stream");
    expect(headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("x-request-id")).toStartWith("rq_");
  });

  test("arrives while the model still speaks", async () => {
    mock.replyWith(stallsAfter("Well", ", "));
    const reader = (await stream()).body!.getReader();
    let text = "";
    while (!text.includes("Well")) text += new TextDecoder().decode((await reader.read()).value);
    expect(text).toContain("event: meta");
    expect(text).not.toContain("event: done");
    await reader.cancel();
  });

  test.each([
    ["a scripted answer", "scripted", QUESTION, "It is on its way."],
    ["a refusal", "shop", "delete my account", "That is not for a bot to do."],
  ])("is also how %s comes", async (_, botId, input, text) => {
    const response = await stream({ botId, input });
    const events = await eventsOf(response);
    expect(events.map(({ event }) => event)).toEqual(["meta", "delta", "done"]);
    expect(textOf(events)).toBe(text);
    expect(mock.requests).toEqual([]);
    expect((await storedTurn(response)).response).toBe(text);
  });

  test.each([
    ["is valid", says('{"hours":"9"}'), '{"hours":"9"}'],
    ["stays invalid", says("Nine o'clock, sir."), '{"hours":"unknown"}'],
  ])("holds everything back until it %s, where there is a schema", async (_, reply, expected) => {
    mock.replyWith(reply);
    const events = await eventsOf(await stream({ botId: "kiosk" }));
    expect(events.map(({ event }) => event)).toEqual(["meta", "delta", "done"]);
    expect(textOf(events)).toBe(expected);
    expect(events[2]!.data["response"]).toBe(expected);
  });

  test.each([
    ["application/json", "application/json"],
    ["*/*", "application/json"],
    ["text/event-stream;q=0", "application/json"],
    ["text/event-stream, application/json;q=0.9", "text/event-stream; charset=utf-8"],
    ["application/json, text/event-stream", "text/event-stream; charset=utf-8"],
  ])("with Accept: %s is %s", async (accept, type) => {
    const response = await stream({}, { headers: { Accept: accept } });
    expect(response.headers.get("content-type")).toBe(type);
    await response.text();
  });
});

describe("an error", () => {
  test.each([
    ["of the request", { input: " " }, 400, "INVALID_REQUEST"],
    ["of the bot's id", { botId: "nobody" }, 404, "NOT_FOUND"],
    ["of the cap", { botId: "capped" }, 429, "MESSAGE_CAP_EXCEEDED"],
  ])("%s is a problem document, and no stream", async (_, fields, status, code) => {
    const response = await stream(fields);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code });
    expect(mock.requests).toEqual([]);
  });

  test.each([
    ["before the first word", "shop", fails(400), "MODEL_ERROR", 502, 0],
    ["in the middle", "shop", breaksOffAfter("It ", "left"), "MODEL_ERROR", 502, 2],
    ["by silence in the middle", "hasty", stallsAfter("It "), "MODEL_TIMEOUT", 504, 1],
  ])("of the model %s ends the stream with a problem", async (_, botId, reply, code, status, deltas) => {
    mock.replyWith(reply);
    const response = await stream({ botId });
    const text = await response.text();
    const events = parseEvents(text);
    expect(events.map(({ event }) => event)).toEqual([
      "meta",
      ...Array<string>(deltas).fill("delta"),
      "error",
    ]);
    expect(events.at(-1)!.data).toMatchObject({
      code,
      status,
      requestId: response.headers.get("x-request-id"),
    });
    expect(text).not.toContain("127.0.0.1");
    expect(await storedTurn(response)).toMatchObject({ state: "unanswered", response: "" });
    expect(await used(botId)).toBe(0);
  });
});

describe("a visitor who leaves", () => {
  test("ends the model's call, and leaves a turn marked as cut with what was streamed", async () => {
    const closed = Promise.withResolvers<void>();
    mock.replyWith((response, request) => {
      response.on("close", () => closed.resolve());
      return drips("drop ")(response, request);
    });
    const leaving = new AbortController();
    const response = await stream({}, { signal: leaving.signal });
    const reader = response.body!.getReader();
    let text = "";
    while (!text.includes("delta")) text += new TextDecoder().decode((await reader.read()).value);
    leaving.abort();
    await closed.promise;
    await eventually(async () => (await storedTurn(response)).state === "cut");
    const turn = await storedTurn(response);
    expect(turn.response).toStartWith(textOf(parseEvents(text)));
    expect(turn.receipt.model).toMatchObject({ isUsageEstimated: true, calls: [{ outcome: "cancelled" }] });
    expect(await used()).toBe(1);
  });

  test("without a stream ends the call too", async () => {
    const called = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    mock.replyWith((response) => {
      response.on("close", () => closed.resolve());
      called.resolve();
    });
    const leaving = new AbortController();
    const request = stream({}, { signal: leaving.signal, headers: { Accept: "application/json" } }).then(
      () => "answered",
      () => "left",
    );
    await called.promise;
    leaving.abort();
    expect(await request).toBe("left");
    await closed.promise;
  });

  test("with an Idempotency-Key may come back for the answer", async () => {
    await parley[Symbol.asyncDispose]();
    parley = await start({ retryGraceMs: HANG_MS });
    const called = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    mock.replyWith(async (response, request) => {
      called.resolve();
      await release.promise;
      await says("Still here.")(response, request);
    });
    const headers = { "Idempotency-Key": "k" };
    const leaving = new AbortController();
    const first = stream({}, { signal: leaving.signal, headers });
    await called.promise;
    leaving.abort();
    await first.then((response) => response.text()).catch(() => "left");
    const second = stream({}, { headers });
    await Bun.sleep(20);
    release.resolve();
    const events = await eventsOf(await second);
    expect(events.map(({ event }) => event)).toEqual(["meta", "delta", "done"]);
    expect(textOf(events)).toBe("Still here.");
    expect(mock.requests).toHaveLength(1);
    expect(await used()).toBe(1);
  });

  test("with an Idempotency-Key for good is counted, and the key is free: who comes again is answered, and counted again", async () => {
    mock.replyWith(drips("drop "));
    const leaving = new AbortController();
    const headers = { "Idempotency-Key": "k" };
    const response = await stream({}, { signal: leaving.signal, headers });
    await response.body!.getReader().read();
    leaving.abort();
    await eventually(async () => (await storedTurn(response)).state === "cut");
    expect(await used()).toBe(1);
    mock.replyWith(says("Welcome back."));
    const events = await eventsOf(await stream({}, { headers }));
    expect(textOf(events)).toBe("Welcome back.");
    expect(await used()).toBe(2);
  });

  test.each(["with keys", "without keys"])("spends the cap, and no more than that, %s", async (kind) => {
    let closed = 0;
    mock.replyWith((response) => {
      response.on("close", () => (closed += 1));
    });
    for (let round = 1; round <= 3; round++) {
      const leaving = Array.from({ length: 6 }, (_, n) => {
        const leaver = new AbortController();
        const headers = {
          Accept: "application/json",
          ...(kind === "with keys" && { "Idempotency-Key": `key-of-round-${round}-${n}` }),
        };
        const sent = stream({ botId: "few" }, { signal: leaver.signal, headers });
        return { leaver, sent: sent.then(({ status }) => status).catch(() => "left") };
      });
      await eventually(() => mock.requests.length > 0);
      await Promise.race([Promise.all(leaving.map(({ sent }) => sent)), Bun.sleep(200)]);
      for (const { leaver } of leaving) leaver.abort();
      await eventually(() => closed === mock.requests.length);
    }
    await eventually(async () => (await used("few")) === 2);
    expect(mock.requests).toHaveLength(2);
  });

  test("before a word of the answer came spends tokens of the budget: the model has read the prompt", async () => {
    const called = Promise.withResolvers<void>();
    mock.replyWith(() => called.resolve());
    const leaving = new AbortController();
    const headers = { Accept: "application/json", "Idempotency-Key": "a-key-of-its-own" };
    const first = stream({ botId: "frugal" }, { signal: leaving.signal, headers }).catch(() => "left");
    await called.promise;
    leaving.abort();
    await first;
    const { key } = (await parley.store.bots.find("frugal"))!;
    await eventually(async () => (await parley.store.usage.readTokens(key, Date.now())) > 0);
    expect((await stream({ botId: "frugal" })).status).toBe(429);
    expect(mock.requests).toHaveLength(1);
  });
});
