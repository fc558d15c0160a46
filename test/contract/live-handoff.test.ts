import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { LLMock } from "@copilotkit/aimock";

import { takeEvents } from "../../src/domain/event-stream.ts";
import type { HandoffEvent } from "../../src/domain/handoff.ts";
import type { ConversationId, HandoffId } from "../../src/domain/ids.ts";
import { shopBot } from "../support/bots.ts";
import { keyOf, type TestOperator, signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

let parley: TestParley;
let owner: TestOperator;
let editor: TestOperator;
let viewer: TestOperator;

beforeAll(async () => {
  parley = await startParley({ bots: [shopBot({ id: "shop", handoff: {}, monthlyMessageCap: 1000 })] });
  owner = await signIn(parley, "owner");
  editor = await signIn(parley, "ann", "editor");
  viewer = await signIn(parley, "vic", "viewer");
});
afterAll(() => parley[Symbol.asyncDispose]());

async function openHandoff(conversationId?: string, more: object = {}) {
  const response = await fetch(`${parley.url}/handoff`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}` },
    body: JSON.stringify({ botId: "shop", ...(conversationId && { conversationId }), ...more }),
  });
  return (await response.json()) as { handoffId: string; conversationId: string };
}

/** A visitor's stream, read as a browser would. */
class Stream implements AsyncDisposable {
  readonly events: HandoffEvent[] = [];
  readonly #leaving = new AbortController();
  #reading: Promise<void> | undefined;

  async open(conversationId: string, after?: number): Promise<Response> {
    const response = await fetch(`${parley.url}/chat/events?botId=shop&conversationId=${conversationId}`, {
      headers: {
        Authorization: `Bearer ${parley.token}`,
        ...(after !== undefined && { "Last-Event-ID": String(after) }),
      },
      signal: this.#leaving.signal,
    });
    if (response.ok) this.#reading = this.#read(response).catch(() => {});
    return response;
  }

  async until(count: number): Promise<HandoffEvent[]> {
    while (this.events.length < count) await Bun.sleep(5);
    return this.events;
  }

  async ended(): Promise<void> {
    await this.#reading;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    await this.#reading;
  }

  async #read(response: Response): Promise<void> {
    let rest = "";
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      const taken = takeEvents(rest + piece);
      rest = taken.rest;
      for (const { data } of taken.events) this.events.push(JSON.parse(data) as HandoffEvent);
    }
  }
}

const usage = async () =>
  await parley.store.readUsage([(await parley.store.bots.find("shop"))!.key], Date.now());

describe("a person who takes over", () => {
  test("hears the visitor and is heard, in order and once; the bot is silent, and answers again afterwards", async () => {
    const { conversationId } = await parley.say("where is my order");
    const { handoffId } = await openHandoff(conversationId);
    await using stream = new Stream();
    expect((await stream.open(conversationId)).status).toBe(200);

    const taken = await editor.json("POST", `/handoffs/${handoffId}/take`);
    expect(taken).toMatchObject({ state: "live", operator: "ann" });
    const before = [...(await usage()).values()].map(({ messages }) => messages);
    const live = await parley.say("are you a human?", { conversationId });
    expect(live).toMatchObject({
      conversationId,
      metadata: { capabilityAllowed: true, handoff: { state: "live" } },
    });
    expect(live).not.toHaveProperty("intentDetected");
    expect([...(await usage()).values()].map(({ messages }) => messages)).toEqual(before);
    await editor.json("POST", `/handoffs/${handoffId}/messages`, { text: "Yes, <b>hello</b>!" });
    await parley.say("great", { conversationId });
    const told = await stream.until(4);
    expect(told.map(({ kind, text, name }) => [kind, text, name])).toEqual([
      ["state", "live", "Ann"],
      ["visitor", "are you a human?", undefined],
      ["operator", "Yes, <b>hello</b>!", "Ann"],
      ["visitor", "great", undefined],
    ]);
    expect(told.map(({ number }) => number)).toEqual([1, 2, 3, 4]);

    await editor.json("POST", `/handoffs/${handoffId}/release`);
    expect(await stream.until(5)).toHaveLength(5);
    const bot = await parley.say("where is my order", { conversationId });
    expect(bot.intentDetected).toBeDefined();
    expect(bot.metadata).not.toHaveProperty("handoff");
  });

  test("is called by their name alone: visitors read no e-mail address", async () => {
    const mail = await signIn(parley, "grace@example.com", "editor");
    const { conversationId, handoffId } = await openHandoff();
    await using stream = new Stream();
    await stream.open(conversationId);
    expect(await mail.json("POST", `/handoffs/${handoffId}/take`)).toMatchObject({
      operator: "grace@example.com",
    });
    await mail.json("POST", `/handoffs/${handoffId}/messages`, { text: "Hello" });
    expect((await stream.until(2)).map(({ name }) => name)).toEqual(["Grace", "Grace"]);
  });

  test("is an operator without a name where a key writes: its label is nobody's business", async () => {
    const key = await keyOf(parley, owner, ["read", "handoffs.answer"]);
    const { conversationId, handoffId } = await openHandoff();
    await using stream = new Stream();
    await stream.open(conversationId);
    expect(await key.json("POST", `/handoffs/${handoffId}/take`)).toMatchObject({ operator: "test" });
    await key.json("POST", `/handoffs/${handoffId}/messages`, { text: "Hello" });
    expect((await stream.until(2)).map(({ name }) => name)).toEqual(["Operator", "Operator"]);
  });

  test("is told of what was said while the visitor's stream was broken, from where it broke", async () => {
    const { handoffId, conversationId } = await openHandoff();
    await editor.json("POST", `/handoffs/${handoffId}/take`);
    await editor.json("POST", `/handoffs/${handoffId}/messages`, { text: "one" });
    {
      await using first = new Stream();
      await first.open(conversationId);
      await first.until(2);
    }
    await editor.json("POST", `/handoffs/${handoffId}/messages`, { text: "two" });
    await editor.json("POST", `/handoffs/${handoffId}/messages`, { text: "three" });
    await using second = new Stream();
    await second.open(conversationId, 2);
    expect((await second.until(2)).map(({ text }) => text)).toEqual(["two", "three"]);
  });

  test("sees what the visitor adds to the form while somebody is there, and afterwards", async () => {
    const { handoffId, conversationId } = await openHandoff();
    await editor.json("POST", `/handoffs/${handoffId}/take`);
    await openHandoff(conversationId, { message: "my number is 7" });
    expect(await viewer.json("GET", `/handoffs/${handoffId}`)).toMatchObject({
      state: "live",
      operator: "ann",
      fields: { message: "my number is 7" },
    });
    await editor.json("POST", `/handoffs/${handoffId}/release`);
    await openHandoff(conversationId, { message: "or 8" });
    expect(await viewer.json("GET", `/handoffs/${handoffId}`)).toMatchObject({
      state: "open",
      fields: { message: "my number is 7\n\nor 8" },
    });
  });

  test("answers a visitor who asked before anything was said", async () => {
    const { handoffId, conversationId } = await openHandoff();
    await editor.json("POST", `/handoffs/${handoffId}/take`);
    const said = await parley.say("hello?", { conversationId });
    expect(said).toMatchObject({ conversationId, metadata: { handoff: { state: "live" } } });
    const events = await viewer.json<{ items: HandoffEvent[] }>("GET", `/handoffs/${handoffId}/events`);
    expect(events.items.map(({ text }) => text)).toEqual(["live", "hello?"]);
  });

  test("gets a message that is sent twice under one key once", async () => {
    const { handoffId, conversationId } = await openHandoff();
    await editor.json("POST", `/handoffs/${handoffId}/take`);
    const headers = { "Idempotency-Key": "live-1" };
    const send = async () =>
      (await (
        await parley.chat({ botId: "shop", input: "once", conversationId }, { headers })
      ).json()) as object;
    const first = await send();
    expect(await send()).toEqual(first);
    const events = await viewer.json<{ items: HandoffEvent[] }>("GET", `/handoffs/${handoffId}/events`);
    expect(events.items.filter(({ text }) => text === "once")).toHaveLength(1);
  });

  test("says what is sent twice under one key once, also after the bot is back", async () => {
    const { handoffId } = await openHandoff();
    await editor.json("POST", `/handoffs/${handoffId}/take`);
    const send = (text: string) =>
      editor.ask("POST", `/handoffs/${handoffId}/messages`, {
        body: { text },
        headers: { "Idempotency-Key": "k1" },
      });
    const first = await (await send("once")).json();
    expect(await (await send("once")).json()).toEqual(first);
    expect((await send("another")).status).toBe(200);
    await editor.json("POST", `/handoffs/${handoffId}/release`);
    expect(await (await send("once")).json()).toEqual(first);
    expect((await send("too late")).status).toBe(412);
    const events = await viewer.json<{ items: HandoffEvent[] }>("GET", `/handoffs/${handoffId}/events`);
    expect(events.items.filter(({ kind }) => kind === "operator").map(({ text }) => text)).toEqual([
      "once",
      "another",
    ]);
  });

  test("has to be an editor, and to have taken over", async () => {
    const { handoffId } = await openHandoff();
    expect((await viewer.ask("POST", `/handoffs/${handoffId}/take`)).status).toBe(403);
    const early = await editor.ask("POST", `/handoffs/${handoffId}/messages`, { body: { text: "hi" } });
    expect(early.status).toBe(412);
    await editor.json("POST", `/handoffs/${handoffId}/close`);
    expect((await editor.ask("POST", `/handoffs/${handoffId}/take`)).status).toBe(412);
    expect((await editor.ask("POST", "/handoffs/ho_none/take")).status).toBe(404);
  });

  test("who says nothing for 15 minutes has given the conversation back", async () => {
    const { handoffId, conversationId } = await openHandoff();
    await editor.json("POST", `/handoffs/${handoffId}/take`);
    const at = Date.now() - 16 * 60_000;
    await parley.store.handoffs.take({
      id: handoffId,
      operator: "ann",
      name: "ann",
      at,
      until: at + 15 * 60_000,
    });
    const bot = await parley.say("where is my order", { conversationId });
    expect(bot.intentDetected).toBeDefined();
    await parley.store.handoffs.releaseExpired(Date.now());
    expect(await viewer.json("GET", `/handoffs/${handoffId}`)).toMatchObject({ state: "open" });
  });

  test("on another server is heard as well, and what they said outlives both", async () => {
    const { conversationId } = await parley.say("where is my order");
    const { handoffId } = await openHandoff(conversationId);
    // The operator's command runs on a connection of its own, as another server does.
    const at = Date.now();
    await parley.store.handoffs.take({ id: handoffId, operator: "ben", name: "ben", at, until: at + 60_000 });
    expect((await parley.say("hi ben", { conversationId })).metadata).toMatchObject({
      handoff: { state: "live" },
    });
    const all = await parley.store.handoffs.listEvents([{ conversationId, after: 0 }], 10);
    expect(all.get(conversationId)!.map(({ text }) => text)).toEqual(["live", "hi ben"]);
  });

  test("leaves nothing where the conversation is erased", async () => {
    const { handoffId, conversationId } = await openHandoff();
    await editor.json("POST", `/handoffs/${handoffId}/take`);
    await editor.json("POST", `/handoffs/${handoffId}/messages`, { text: "canary" });
    await parley.store.erasure.erase([{ id: conversationId }], {});
    const left = await parley.store.handoffs.listEvents([{ conversationId, after: 0 }], 10);
    expect(left.get(conversationId)).toEqual([]);
  });
});

describe("what was written to a person", () => {
  test.each(["in memory", "on disk"])(
    "reaches no model afterwards, with the conversation %s",
    async (where) => {
      const mock = new LLMock({ port: 0 });
      mock.onMessage(/.*/s, { content: "The model says so." });
      await mock.start();
      const models = { local: { baseUrl: `${mock.url}/v1`, model: "tiny" } };
      const intents = shopBot().intents!.map(({ responses: _, ...intent }) => intent);
      const bot = shopBot({ id: "shop", handoff: {}, intents, responder: { kind: "model" } });
      await using own = await startParley({ bots: [bot], flags: { models: JSON.stringify(models) } });
      const { conversationId } = await own.say("where is my order");
      const { handoffs } = own.store;
      const [at, id] = [Date.now(), "ho_test" as HandoffId];
      const { key } = (await own.store.bots.find("shop"))!;
      await handoffs.open({
        id,
        bot: key,
        conversationId: conversationId as ConversationId,
        fields: {},
        sharesTranscript: false,
        at,
        deliveries: [],
      });
      await handoffs.take({ id, operator: "ann", name: "ann", at, until: at + 600_000 });
      const live = await own.say("my card is canary-4111", { conversationId });
      expect(live.metadata).toMatchObject({ handoff: { state: "live" } });
      await handoffs.release(id, at);
      // With the first answer the end of the conversation is read, and kept.
      if (where === "in memory") await own.say("where is my order", { conversationId });
      await own.say("where is my order now", { conversationId });
      const asked = JSON.stringify(mock.getRequests().map(({ body }) => body));
      await mock.stop();
      expect(asked).toContain("where is my order now");
      expect(asked).not.toContain("canary-4111");
    },
  );
});

describe("GET /chat/events", () => {
  test("of an unknown conversation is a stream without events", async () => {
    await using stream = new Stream();
    const response = await stream.open("cv_unknown");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    expect(stream.events).toEqual([]);
  });

  test("of a conversation for which nobody is asked ends at once, and says when to come back", async () => {
    const headers = { Authorization: `Bearer ${parley.token}` };
    const { conversationId } = await parley.say("where is my order");
    for (const id of ["cv_unknown", conversationId]) {
      const url = `${parley.url}/chat/events?botId=shop&conversationId=${id}`;
      const response = await fetch(url, { headers });
      expect(response.status).toBe(200);
      expect(await response.text()).toMatch(/\nretry: \d+\n\n$/);
    }
  });

  test("that was closed before anybody came tells the visitor so, there or back later", async () => {
    const { handoffId, conversationId } = await openHandoff();
    await using stream = new Stream();
    await stream.open(conversationId);
    await editor.json("POST", `/handoffs/${handoffId}/close`);
    await stream.ended();
    expect(stream.events).toMatchObject([{ number: 1, kind: "state", text: "closed" }]);
    await using late = new Stream();
    await late.open(conversationId);
    await late.ended();
    expect(late.events).toEqual(stream.events);
  });

  test("ends when the hand-off is closed; who comes back is told what was missed", async () => {
    const { handoffId, conversationId } = await openHandoff();
    await editor.json("POST", `/handoffs/${handoffId}/take`);
    await using stream = new Stream();
    const response = await stream.open(conversationId);
    await editor.json("POST", `/handoffs/${handoffId}/close`);
    await stream.ended();
    expect(response.status).toBe(200);
    expect(stream.events.map(({ text }) => text)).toEqual(["live", "closed"]);
    await using late = new Stream();
    await late.open(conversationId, 1);
    await late.ended();
    expect(late.events.map(({ text }) => text)).toEqual(["closed"]);
  });

  test("takes ten streams of a caller", async () => {
    const own = await startParley({ bots: [shopBot({ id: "shop", handoff: {} })] });
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${own.token}` };
    const body = JSON.stringify({ botId: "shop" });
    const leaving = new AbortController();
    // A stream whose response nobody holds may be let go of.
    const responses: Response[] = [];
    for (let i = 0; i < 11; i += 1) {
      const asked = await fetch(`${own.url}/handoff`, { method: "POST", headers, body });
      const { conversationId } = (await asked.json()) as { conversationId: string };
      const url = `${own.url}/chat/events?botId=shop&conversationId=${conversationId}`;
      responses.push(await fetch(url, { headers, signal: leaving.signal }));
    }
    expect(responses.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    leaving.abort();
  });

  test("takes three streams of a conversation, and a fourth when one has gone", async () => {
    const { conversationId } = await openHandoff();
    const streams = [new Stream(), new Stream(), new Stream()];
    for (const stream of streams) expect((await stream.open(conversationId)).status).toBe(200);
    const fourth = new Stream();
    expect((await fourth.open(conversationId)).status).toBe(429);
    await streams[0]![Symbol.asyncDispose]();
    while ((await fourth.open(conversationId)).status !== 200) await Bun.sleep(20);
    for (const stream of [...streams.slice(1), fourth]) await stream[Symbol.asyncDispose]();
  });

  test("asks for a token, and for bot and conversation", async () => {
    expect((await fetch(`${parley.url}/chat/events?botId=shop&conversationId=x`)).status).toBe(401);
    const headers = { Authorization: `Bearer ${parley.token}` };
    expect((await fetch(`${parley.url}/chat/events?botId=shop`, { headers })).status).toBe(400);
    expect((await fetch(`${parley.url}/chat/events?botId=nobody&conversationId=x`, { headers })).status).toBe(
      404,
    );
  });
});

test("a server that stops ends the streams of those who follow first, and so need not cut them", async () => {
  const own = await startParley({ bots: [shopBot({ id: "shop", handoff: {} })] });
  const asked = await fetch(`${own.url}/handoff`, {
    method: "POST",
    headers: { Authorization: `Bearer ${own.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ botId: "shop", message: "hello" }),
  });
  const { conversationId } = (await asked.json()) as { conversationId: string };
  const stream = await fetch(`${own.url}/chat/events?botId=shop&conversationId=${conversationId}`, {
    headers: { Authorization: `Bearer ${own.token}` },
  });
  const read = stream.text();
  const stopped = own[Symbol.asyncDispose]();
  // A stream that is cut, as listeners do after ten seconds, rejects.
  expect(await read).toStartWith(": here");
  await stopped;
});
