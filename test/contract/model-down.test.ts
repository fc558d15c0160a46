import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { takeEvents } from "../../src/domain/event-stream.ts";
import { explainTurn } from "../../src/operate/explain.ts";
import { type WrittenFields, shopBot } from "../support/bots.ts";
import {
  type Reply,
  type TestModelServer,
  breaksOffAfter,
  fails,
  hangs,
  hangsUp,
  says,
  startModelServer,
} from "../support/model-server.ts";
import { type ChatResponseBody, type TestParley, startParley } from "../support/parley.ts";

const QUESTION = "where is my order";
const DOWN = "Nobody can look that up at the moment.";
const KEY = { headers: { "Idempotency-Key": "a-key-of-many-letters" } };
const logged: Record<string, unknown>[] = [];
let model: TestModelServer;
let parley: TestParley;

const modelled: WrittenFields = {
  responder: { kind: "model", models: ["local"] },
  handoff: { offer: ["cap"] },
  texts: { modelDown: DOWN },
};
const bots = [
  shopBot(modelled),
  shopBot({ ...modelled, id: "capped", monthlyMessageCap: 1 }),
  shopBot({ id: "german", language: "de", responder: { kind: "model", models: ["local"] }, handoff: {} }),
  shopBot({ id: "alone", responder: { kind: "model", models: ["local"] } }),
  shopBot({ id: "scripted" }),
  shopBot({
    ...modelled,
    id: "kiosk",
    outputSchema: { type: "object", required: ["hours"] },
    fallbackResponse: '{"hours":"unknown"}',
  }),
];

beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model[Symbol.asyncDispose]());
beforeEach(async () => {
  logged.length = 0;
  model.replyWith(fails(500));
  const local = { baseUrl: model.baseUrl, model: "tiny", timeoutMs: 3000 };
  parley = await startParley({
    bots,
    flags: { models: JSON.stringify({ local }) },
    onLog: (line) => logged.push(line),
  });
});
afterEach(() => parley[Symbol.asyncDispose]());

const used = async (botId: string) =>
  parley.store.usage.read((await parley.store.bots.find(botId))!.key, Date.now());
const ask = (botId = "shop", options: { headers?: Record<string, string> } = {}) =>
  parley.chat({ botId, input: QUESTION }, options);
const bodyOf = async (response: Response) => (await response.json()) as ChatResponseBody;
const turnsOf = ({ conversationId }: ChatResponseBody) =>
  parley.store.conversations.listTurns(conversationId);

describe("where the model is down and the bot hands over", () => {
  test.each<[string, Reply]>([
    ["fails", fails(500)],
    ["hangs up", hangsUp()],
    ["is silent", hangs()],
    ["says nothing", says("")],
  ])("a model that %s is answered with a way to a person, whatever `offer` says", async (_, reply) => {
    model.replyWith(reply);
    const response = await ask();
    expect(response.status).toBe(200);
    expect(await bodyOf(response)).toEqual({
      conversationId: expect.stringMatching(/^cv_/),
      response: DOWN,
      intentDetected: "orders.status",
      metadata: {
        capabilityAllowed: true,
        handoff: { state: "offered" },
        schemaEnforced: false,
        schemaFallbackUsed: false,
      },
    });
  });

  test("the turn is stored with what was said, and its count given back", async () => {
    const answer = await bodyOf(await ask("capped"));
    expect(await used("capped")).toBe(0);
    const [turn] = await turnsOf(answer);
    expect(turn).toMatchObject({ state: "unanswered", input: QUESTION, response: DOWN });
    expect(turn!.metadata).toEqual(answer.metadata as never);
    expect(turn!.receipt.model?.calls.at(-1)).toMatchObject({ server: "local", outcome: "unavailable" });
    expect((await ask("capped")).status).toBe(200);
  });

  test("it is said in the bot's language where the bot words nothing", async () => {
    expect((await bodyOf(await ask("german"))).response).toMatch(/jemand|Mensch|Person/i);
  });

  test("no schema judges it, and no fallback replaces it", async () => {
    expect(await bodyOf(await ask("kiosk"))).toMatchObject({
      response: DOWN,
      metadata: { schemaEnforced: false, schemaFallbackUsed: false },
    });
  });

  test("a retry with the same key replaces the stored turn", async () => {
    const first = await bodyOf(await ask("shop", KEY));
    expect(first.response).toBe(DOWN);
    model.replyWith(says("It left yesterday."));
    const second = await bodyOf(await ask("shop", KEY));
    expect(second).toMatchObject({ conversationId: first.conversationId, response: "It left yesterday." });
    expect(await turnsOf(first)).toMatchObject([{ state: "complete", response: "It left yesterday." }]);
    expect(await used("shop")).toBe(1);
    expect(await bodyOf(await ask("shop", KEY))).toEqual(second);
    expect(model.requests).toHaveLength(1);
    const { conversationId } = first;
    await parley.say("track my parcel please", { conversationId });
    expect(await turnsOf(first)).toHaveLength(2);
  });

  test("a retry is not read as a follow-up of itself", async () => {
    const goingOn = { botId: "shop", input: "and where is my order" };
    const first = await bodyOf(await parley.chat(goingOn, KEY));
    expect(first.response).toBe(DOWN);
    model.replyWith(says("It left yesterday."));
    await parley.chat(goingOn, KEY);
    const [turn, ...others] = await turnsOf(first);
    expect([turn!.state, others]).toEqual(["complete", []]);
    expect(turn!.receipt.readings.map(({ reading }) => reading)).toEqual(["plain"]);
    expect(await explainTurn(parley.store, turn!.requestId)).toMatchObject({ agrees: true });
  });

  test("a retry that finds no model either replaces it as well", async () => {
    const first = await bodyOf(await ask("shop", KEY));
    const second = await bodyOf(await ask("shop", KEY));
    expect(second).toEqual(first);
    expect(await turnsOf(first)).toMatchObject([{ state: "unanswered", response: DOWN }]);
    expect(await used("shop")).toBe(0);
  });

  test("a retry replaces it also where no texts are stored", async () => {
    const local = { baseUrl: model.baseUrl, model: "tiny" };
    const flags = { models: JSON.stringify({ local }), storeMessages: "none" };
    await using sparing = await startParley({ bots: [shopBot(modelled)], flags });
    const say = async () => bodyOf(await sparing.chat({ botId: "shop", input: QUESTION }, KEY));
    const first = await say();
    model.replyWith(says("It left yesterday."));
    const { conversationId } = first;
    expect(await say()).toMatchObject({ conversationId, response: "It left yesterday." });
    const turns = await sparing.store.conversations.listTurns(conversationId);
    expect(turns).toMatchObject([{ state: "complete", input: "", response: "" }]);
  });

  test("the key is free for another message, which replaces nothing", async () => {
    const first = await bodyOf(await ask("shop", KEY));
    model.replyWith(says("It left yesterday."));
    const response = await parley.chat({ botId: "shop", input: "track my parcel please" }, KEY);
    expect(response.status).toBe(200);
    expect((await bodyOf(response)).conversationId).not.toBe(first.conversationId);
    expect(await turnsOf(first)).toMatchObject([{ state: "unanswered", response: DOWN }]);
  });

  test("a retry that is refused leaves the stored turn", async () => {
    const first = await bodyOf(await ask("capped", KEY));
    model.replyWith(says("It left yesterday."));
    expect((await ask("capped")).status).toBe(200);
    expect((await ask("capped", KEY)).status).toBe(429);
    expect(await turnsOf(first)).toMatchObject([{ state: "unanswered", response: DOWN }]);
  });

  test("the next message goes on in the conversation, and no model is told what was said meanwhile", async () => {
    const { conversationId } = await bodyOf(await ask());
    model.replyWith(says("It left yesterday."));
    const next = await parley.say("track my parcel please", { conversationId });
    expect(next).toMatchObject({ conversationId, response: "It left yesterday." });
    expect(next.metadata).not.toHaveProperty("handoff");
    expect(JSON.stringify(model.requests[0]!.body.messages)).not.toContain(DOWN);
  });

  test("the log and the metrics tell the operator of it", async () => {
    await ask();
    const line = logged.find(({ msg }) => String(msg).includes("no model"));
    expect(line).toMatchObject({ level: 40, modelCalls: [{ server: "local", outcome: "unavailable" }] });
    const metrics = await (await fetch(`${parley.server.operatorUrl}/metrics`)).text();
    expect(metrics).toContain('parley_bot_turns_total{bot="shop",result="model_down"} 1');
    expect(metrics).toContain('parley_bot_turns_total{bot="shop",result="answered"} 0');
  });
});

describe("as a stream", () => {
  const stream = async (botId = "shop") => {
    const response = await ask(botId, { headers: { Accept: "text/event-stream" } });
    const { events } = takeEvents(await response.text());
    return events.map(({ event, data }) => ({ event, data: JSON.parse(data) as Record<string, unknown> }));
  };

  test("the same is told, and `done` offers the person", async () => {
    const events = await stream();
    expect(events.map(({ event }) => event)).toEqual(["meta", "delta", "done"]);
    expect(events[1]!.data).toEqual({ text: DOWN });
    expect(events[2]!.data).toMatchObject({ response: DOWN, metadata: { handoff: { state: "offered" } } });
    expect(await used("shop")).toBe(0);
  });

  test("a model that fails after text was shown is an error as before", async () => {
    model.replyWith(breaksOffAfter("It left"));
    const events = await stream();
    expect(events.map(({ event }) => event)).toEqual(["meta", "delta", "error"]);
    expect(events[2]!.data).toMatchObject({ code: "MODEL_ERROR" });
    expect(await used("shop")).toBe(0);
  });
});

test("a bot that hands nobody over answers 502 as before", async () => {
  const response = await ask("alone");
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ code: "MODEL_ERROR" });
});
