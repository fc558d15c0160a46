import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { BotDetails } from "../../src/domain/operator/bots.ts";
import type { TryRequest, TryResult } from "../../src/domain/operator/conversations.ts";
import { exportBot } from "../../src/seed/export-bot.ts";
import { EndpointServer } from "../support/endpoint-server.ts";
import { signIn, type TestOperator } from "../support/operators.ts";
import { ordersBot } from "../support/orders-bot.ts";
import { type TestParley, startParley } from "../support/parley.ts";

const STATUS = "where is my order 48213, ann@example.org";
const CANCEL = "cancel order 48213, ann@example.org";

let orders: EndpointServer;
let parley: TestParley;
let ann: TestOperator;
let eve: TestOperator;
const logged: Record<string, unknown>[] = [];

beforeAll(async () => {
  orders = new EndpointServer();
  orders.answer = ({ method }) => Response.json(method === "POST" ? {} : { state: "packing" });
  const settings = orders.settings();
  const endpoints = JSON.stringify({ orders: settings, "order-changes": settings });
  parley = await startParley({
    bots: [ordersBot()],
    flags: { encoder: "off", endpoints },
    onLog: (line) => void logged.push(line),
  });
  ann = await signIn(parley, "ann", "editor");
  eve = await signIn(parley, "eve", "viewer");
});
beforeEach(() => {
  orders.requests.length = 0;
  logged.length = 0;
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  orders[Symbol.dispose]();
});

const say = (body: TryRequest) => ann.json<TryResult>("POST", "/bots/shop/try", body);
const called = () => orders.requests.map(({ method, path }) => `${method} ${path}`);

describe("trying a bot with actions", () => {
  test("calls nothing, and shows the request, unless it is told to", async () => {
    const { response, receipt } = await say({ input: STATUS });
    expect(response).toBe("`GET /orders/48213?email=ann%40example.org`");
    expect(receipt.action).toContain("would call GET orders");
    expect(called()).toEqual([]);
  });

  test("calls its endpoints where it is told to, and the log says who did", async () => {
    const { response } = await say({ input: STATUS, callEndpoints: true });
    expect(response).toBe("It is being packed.");
    expect(called()).toEqual(["GET /orders/48213?email=ann%40example.org"]);
    expect(logged).toContainEqual(
      expect.objectContaining({ by: "ann", bot: "shop", endpoint: "orders", method: "GET", status: 200 }),
    );
    expect(JSON.stringify(logged)).not.toMatch(/48213|ann@/);
  });

  test("does what is confirmed once, however often the yes is sent", async () => {
    const asked = await say({ input: CANCEL, callEndpoints: true });
    expect(asked.response).toBe("Cancel order 48213?");
    const yes = { input: "yes", callEndpoints: true, conversation: asked.conversation! };
    const answers = await Promise.all([say(yes), say(yes), say(yes)]);
    expect(answers.filter(({ response }) => response === "Order 48213 is cancelled.")).toHaveLength(1);
    expect(called()).toEqual(["POST /orders/48213/cancel"]);
  });

  test("calls nothing while somebody types, and for what was said before", async () => {
    await say({ input: STATUS, callEndpoints: true, judgeOnly: true });
    await say({ input: "when are you open", before: [STATUS, CANCEL, "yes"], callEndpoints: true });
    expect(called()).toEqual([]);
  });

  test("asks again where the draft was changed between question and yes", async () => {
    const asked = await say({ input: CANCEL, callEndpoints: true });
    const yaml = exportBot(ordersBot()).replace("/orders/{orderNumber}/cancel", "/orders/{orderNumber}");
    const { response } = await say({
      input: "yes",
      yaml,
      callEndpoints: true,
      conversation: asked.conversation!,
    });
    expect(response).toBe("Cancel order 48213?");
    expect(called()).toEqual([]);
  });

  test("takes the right to publish", async () => {
    const body = { input: STATUS, callEndpoints: true };
    const refused = await eve.ask("POST", "/bots/shop/try", { body });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("bots.write") });
    const dry = await eve.json<TryResult>("POST", "/bots/shop/try", { input: STATUS });
    expect(dry.response).toStartWith("`GET ");
    expect(called()).toEqual([]);
  });

  test("a bot's details name the endpoints that it may call, by name, methods and paths alone", async () => {
    const response = await eve.ask("GET", "/bots/shop");
    const text = await response.text();
    const callable = { methods: ["GET", "POST"], paths: ["/orders/*", "/orders/*/cancel"] } as const;
    const { endpoints } = JSON.parse(text) as Pick<BotDetails, "endpoints">;
    expect(endpoints).toEqual([
      { name: "orders", ...callable },
      { name: "order-changes", ...callable },
    ]);
    expect(text).not.toContain(orders.url);
    await parley.store.bots.seed([ordersBot(), ordersBot({ id: "other" })], { prune: false, dryRun: false });
    expect(await eve.json<BotDetails>("GET", "/bots/other")).toMatchObject({ endpoints: [] });
  });

  test("reaches no endpoint that is for other bots", async () => {
    await parley.store.bots.seed([ordersBot(), ordersBot({ id: "other" })], { prune: false, dryRun: false });
    const body = { input: STATUS, callEndpoints: true };
    const { response } = await ann.json<TryResult>("POST", "/bots/other/try", body);
    expect(response).toBe("I can't reach our order system right now.");
    expect(called()).toEqual([]);
  });
});
