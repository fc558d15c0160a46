import { afterEach, describe, expect, test } from "bun:test";

import pino from "pino";
import { Webhook } from "standardwebhooks";

import { type FlagValues, loadConfig } from "../../src/config/config.ts";
import type { DeliveryEvent, ListedDelivery } from "../../src/domain/delivery.ts";
import type { DeliveryRow } from "../../src/domain/operator/handoffs.ts";
import { type RunningServer, startServer } from "../../src/http/server.ts";
import type { RuntimeParts } from "../../src/runtime.ts";
import { shopBot } from "../support/bots.ts";
import { signIn } from "../support/operators.ts";
import { type ParleyOptions, type TestParley, startParley } from "../support/parley.ts";
import { Receiver, WEBHOOK_SECRET } from "../support/webhook-receiver.ts";

const REFUSED = "delete my account";
const UNMATCHED = "quantum chromodynamics";
const ANSWERED = "where is my order";
const TURNS = { events: ["turn.refused", "turn.unmatched"] };
const ENV = { HOOK_SECRET: WEBHOOK_SECRET };

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

const hooks = (url: string, more: object = TURNS) =>
  JSON.stringify({ crm: { url, secretEnv: "HOOK_SECRET", ...more } });

async function start(flags: FlagValues, { parts, ...options }: ParleyOptions = {}): Promise<TestParley> {
  const bots = [shopBot({ handoff: {} })];
  const parley = await startParley({ bots, flags, parts: { env: ENV, ...parts }, ...options });
  opened.push(parley);
  return parley;
}

/** Another server on the store of a first one. */
async function startBeside(
  parley: TestParley,
  flags: FlagValues,
  parts: RuntimeParts = {},
): Promise<RunningServer> {
  const { PARLEY_STORE: store } = parley.env;
  const ports = { port: "0", operatorPort: "0", rateLimitCapacity: "100000" };
  const config = loadConfig({
    flags: { data: parley.dataDir, ...(store !== undefined && { store }), ...ports, ...flags },
    env: {},
    readFile: () => "",
  });
  const server = await startServer(config, { log: pino({ level: "silent" }), env: ENV, ...parts });
  let ended: Promise<void> | undefined;
  const close = () => (ended ??= server.close());
  opened.push({ [Symbol.asyncDispose]: close });
  return { ...server, close };
}

async function sayTo(parley: TestParley, server: RunningServer, input: string): Promise<string> {
  const response = await fetch(`${server.localUrl}/chat`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}` },
    body: JSON.stringify({ botId: "shop", input }),
  });
  expect(response.status).toBe(200);
  return response.headers.get("X-Request-Id")!;
}

const list = (parley: TestParley, event?: DeliveryEvent) =>
  parley.store.outbox.list({ limit: 100, ...(event && { event }) });

async function until(
  parley: TestParley,
  areThere: (deliveries: ListedDelivery[]) => boolean,
): Promise<ListedDelivery[]> {
  for (;;) {
    const deliveries = await list(parley);
    if (areThere(deliveries)) return deliveries;
    await Bun.sleep(10);
  }
}

/** All turns are counted, so that whoever is told of them is in the outbox. */
async function counted({ store }: TestParley): Promise<void> {
  while ((await store.analytics.countingState()).openSince !== undefined) await Bun.sleep(10);
}

const delivered = (count: number) => (all: ListedDelivery[]) =>
  all.filter(({ state }) => state === "delivered").length === count;
const bodies = (receiver: Receiver) =>
  receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });

describe("a webhook that names events of turns", () => {
  test("is told of a refused message, signed, without what the visitor wrote", async () => {
    using receiver = new Receiver();
    const flags = { webhooks: hooks(receiver.url), operatorUrl: "https://ops.example/parley/" };
    const parley = await start(flags);
    const answer = await parley.chat({ botId: "shop", input: REFUSED });
    const { conversationId } = (await answer.json()) as { conversationId: string };
    const [{ id }] = (await until(parley, delivered(1))) as [ListedDelivery];
    const [{ headers, body }] = receiver.received as [{ headers: Record<string, string>; body: string }];
    expect(headers["webhook-id"]).toBe(id);
    expect(new Webhook(WEBHOOK_SECRET).verify(body, headers)).toEqual({
      type: "turn.refused",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: {
        botId: "shop",
        botName: "Shop",
        conversationId,
        requestId: answer.headers.get("X-Request-Id"),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        reason: "DENY_LIST",
        rule: expect.any(String),
        intentDetected: "account.delete",
        confidence: expect.any(Number),
        link: `https://ops.example/parley/conversations/${conversationId}`,
      },
    });
  });

  test("is told of one that nothing matched, and of none that was answered or was a greeting", async () => {
    using receiver = new Receiver();
    const parley = await start({ webhooks: hooks(receiver.url) });
    await parley.say(ANSWERED);
    await parley.say("hello");
    await parley.say(UNMATCHED);
    await until(parley, delivered(1));
    await counted(parley);
    expect(await list(parley)).toHaveLength(1);
    expect(bodies(receiver)).toMatchObject([
      { type: "turn.unmatched", data: { reason: "no_intent_match", rule: "no-match" } },
    ]);
    expect(receiver.received[0]!.body).not.toContain("link");
  });

  test("gets what was written where it says `texts`, and texts are stored", async () => {
    using receiver = new Receiver();
    const webhooks = hooks(receiver.url, { ...TURNS, texts: true });
    const parley = await start({ webhooks });
    await parley.say(REFUSED);
    await until(parley, delivered(1));
    const sparing = await start({ webhooks, storeMessages: "none" });
    await sparing.say(UNMATCHED);
    await until(sparing, delivered(1));
    expect(bodies(receiver)[0]).toMatchObject({ type: "turn.refused", data: { input: REFUSED } });
    expect(receiver.received[1]!.body).not.toContain("quantum");
    expect(bodies(receiver)[1]!.data).not.toHaveProperty("input");
  });

  test("is told of no turn of before, of each once, and also of those that a server ended before it counted them", async () => {
    using receiver = new Receiver();
    const parley = await start({});
    await parley.say(REFUSED);
    await parley.endServer();
    const flags = { webhooks: hooks(receiver.url) };
    const second = await startBeside(parley, flags);
    const told = [await sayTo(parley, second, REFUSED), await sayTo(parley, second, UNMATCHED)];
    await second.close();
    const third = await startBeside(parley, flags);
    told.push(await sayTo(parley, third, REFUSED));
    await until(parley, delivered(3));
    await third.close();
    await startBeside(parley, flags);
    await counted(parley);
    expect((await list(parley)).map(({ subject }) => subject).toSorted()).toEqual(told.toSorted());
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  });

  test("is told by one of several servers on a store", async () => {
    using receiver = new Receiver();
    const flags = { webhooks: hooks(receiver.url) };
    const parley = await start(flags);
    const other = await startBeside(parley, flags);
    const told: string[] = [];
    for (let at = 0; at < 6; at += 1)
      told.push(await sayTo(parley, at % 2 === 0 ? parley.server : other, REFUSED));
    await until(parley, delivered(6));
    await counted(parley);
    expect((await list(parley)).map(({ subject }) => subject).toSorted()).toEqual(told.toSorted());
    expect(receiver.received).toHaveLength(6);
  });

  test("is told nothing of what was erased before", async () => {
    using receiver = new Receiver();
    receiver.answer = () => new Response("", { status: 500 });
    const parley = await start({ webhooks: hooks(receiver.url) });
    const { conversationId } = await parley.say(REFUSED);
    await until(parley, ([latest]) => latest?.error !== undefined);
    await parley.store.erasure.erase([{ id: conversationId }], {});
    expect(await list(parley)).toEqual([]);
  });

  test("has so many waiting and no more: what is beyond is counted and logged, and no hand-off waits for it", async () => {
    using receiver = new Receiver();
    const stalled = Promise.withResolvers<Response>();
    receiver.answer = () =>
      receiver.received.at(-1)!.body.includes('"turn.') ? stalled.promise : new Response("ok");
    const lines: Record<string, unknown>[] = [];
    const events = { events: ["handoff.requested", ...TURNS.events] };
    const parley = await start(
      { webhooks: hooks(receiver.url, events) },
      { parts: { mostOfTurns: 5 }, onLog: (line) => lines.push(line) },
    );
    for (let at = 0; at < 12; at += 1) await parley.say(at % 2 === 0 ? REFUSED : UNMATCHED);
    await counted(parley);
    expect(await list(parley)).toHaveLength(5);
    await fetch(`${parley.url}/handoff`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}` },
      body: JSON.stringify({ botId: "shop" }),
    });
    const all = await until(parley, delivered(1));
    expect(all.find(({ state }) => state === "delivered")!.event).toBe("handoff.requested");
    const metrics = await (await fetch(`${parley.server.operatorUrl}/metrics`)).text();
    const dropped = [...metrics.matchAll(/^parley_events_dropped_total\{webhook="crm".*\} (\d+)$/gm)];
    expect(dropped.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(7);
    expect(lines.filter(({ msg }) => String(msg).startsWith("events of turns are dropped"))).toHaveLength(1);
    stalled.resolve(new Response("late"));
  });

  test("keeps as many that have ended, the latest", async () => {
    using receiver = new Receiver();
    const parley = await start({ webhooks: hooks(receiver.url) }, { parts: { mostOfTurns: 2 } });
    const told: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      told.push(await sayTo(parley, parley.server, REFUSED));
      await until(parley, (all) => all[0]?.subject === told[at] && all[0]!.state === "delivered");
    }
    expect(receiver.received).toHaveLength(5);
    // The last two that had ended when the fifth came, and that one.
    expect((await list(parley)).map(({ subject }) => subject)).toEqual(told.slice(2).toReversed());
  });
});

describe("a webhook that names no events", () => {
  test("is told of a cap that is nearly used up, once a month, and of no turns", async () => {
    using receiver = new Receiver();
    const bots = [shopBot({ monthlyMessageCap: 10 })];
    const flags = { webhooks: hooks(receiver.url, {}) };
    const parley = await start(flags, { bots });
    for (let at = 0; at < 7; at += 1) await parley.say(REFUSED);
    await counted(parley);
    expect(await list(parley)).toEqual([]);
    await parley.say(ANSWERED);
    await until(parley, delivered(1));
    await parley.say(ANSWERED);
    await counted(parley);
    await parley.endServer();
    const again = await startBeside(parley, flags);
    await sayTo(parley, again, UNMATCHED);
    await counted(parley);
    expect(await list(parley)).toHaveLength(1);
    const month = new Date().toISOString().slice(0, 7);
    expect(bodies(receiver)).toMatchObject([
      {
        type: "cap.near",
        data: { botId: "shop", botName: "Shop", month, messages: expect.any(Number), cap: 10 },
      },
    ]);
    expect(bodies(receiver)[0]!.data).not.toHaveProperty("conversationId");
  });

  test("is told again once a higher cap of the same month is nearly used up, and not of a lower one", async () => {
    using receiver = new Receiver();
    const parley = await start(
      { webhooks: hooks(receiver.url, {}) },
      { bots: [shopBot({ monthlyMessageCap: 5 })] },
    );
    const say = async (times: number) => {
      for (let at = 0; at < times; at += 1) await parley.say(ANSWERED);
      await counted(parley);
    };
    const seedCap = (monthlyMessageCap: number) =>
      parley.store.bots.seed([shopBot({ monthlyMessageCap })], { prune: false, dryRun: false });
    await say(4);
    expect(await list(parley)).toHaveLength(1);
    await seedCap(10);
    while ((await parley.store.bots.find("shop"))?.document.monthlyMessageCap !== 10) await Bun.sleep(10);
    await say(1);
    expect(await list(parley)).toHaveLength(1);
    await untilTaken(parley, 3);
    await counted(parley);
    expect((await list(parley)).map(({ subject }) => subject.split("/")[1])).toEqual(["10", "5"]);
    await seedCap(9);
    await say(1);
    expect(await list(parley)).toHaveLength(2);
  });

  test("is told of a cap by one of several servers", async () => {
    using receiver = new Receiver();
    const flags = { webhooks: hooks(receiver.url, {}) };
    const parley = await start(flags, { bots: [shopBot({ monthlyMessageCap: 10 })] });
    const other = await startBeside(parley, flags);
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => sayTo(parley, at % 2 === 0 ? parley.server : other, ANSWERED)),
    );
    await until(parley, delivered(1));
    await counted(parley);
    expect(await list(parley)).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });
});

/** Says so much as is counted, over a cap that the server learns of within a second. */
async function untilTaken(parley: TestParley, messages: number): Promise<void> {
  for (let taken = 0; taken < messages;) {
    const { status } = await parley.chat({ botId: "shop", input: ANSWERED });
    if (status === 200) taken += 1;
    else await Bun.sleep(20);
  }
}

describe("operators", () => {
  test("see these deliveries by event, and send them again under the same id", async () => {
    using receiver = new Receiver();
    const flags = { webhooks: hooks(receiver.url, { events: ["cap.near", "turn.refused"] }) };
    const parley = await start(flags, { bots: [shopBot({ monthlyMessageCap: 1 })] });
    const editor = await signIn(parley, "owner");
    const { conversationId } = await parley.say(REFUSED);
    await until(parley, delivered(2));
    const read = async (event: string) =>
      (await editor.json<{ items: DeliveryRow[] }>("GET", `/deliveries?event=${event}`)).items;
    const [near] = (await read("cap.near")) as [DeliveryRow];
    expect(near).toMatchObject({ event: "cap.near", bot: "shop", state: "delivered" });
    expect(near).not.toHaveProperty("conversationId");
    expect(await read("turn.refused")).toMatchObject([{ event: "turn.refused", conversationId }]);
    expect(await read("turn.unmatched")).toEqual([]);
    expect((await editor.ask("GET", "/deliveries?event=turn.answered")).status).toBe(400);
    expect((await editor.ask("POST", `/deliveries/${near.id}/resend`)).status).toBe(204);
    while (receiver.received.length < 3) await Bun.sleep(10);
    expect(receiver.received[2]!.headers["webhook-id"]).toBe(near.id);
  });
});
