import { afterEach, describe, expect, test } from "bun:test";

import pino from "pino";
import { Webhook } from "standardwebhooks";

import { type FlagValues, loadConfig } from "../../src/config/config.ts";
import type { ListedDelivery } from "../../src/domain/delivery.ts";
import { startServer } from "../../src/http/server.ts";
import type { RuntimeParts } from "../../src/runtime.ts";
import { shopBot } from "../support/bots.ts";
import { eventually } from "../support/eventually.ts";
import { mailServer } from "../support/mail-server.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { type Received, Receiver, WEBHOOK_SECRET } from "../support/webhook-receiver.ts";

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

async function start(flags: FlagValues, handoff: object = {}, parts: RuntimeParts = {}): Promise<TestParley> {
  const parley = await startParley({
    bots: [shopBot({ id: "shop", handoff })],
    flags,
    parts: { env: { HOOK_SECRET: WEBHOOK_SECRET }, ...parts },
  });
  opened.push(parley);
  return parley;
}

const hooks = (url: string, more = {}) => JSON.stringify({ crm: { url, secretEnv: "HOOK_SECRET", ...more } });

function post(parley: TestParley, path: string, body: object) {
  return fetch(`${parley.url}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}` },
    body: JSON.stringify(body),
  });
}

/** Waits until the latest delivery is as it should be. */
async function delivery(
  parley: TestParley,
  isThere: (delivery: ListedDelivery) => boolean,
): Promise<ListedDelivery> {
  for (;;) {
    const [latest] = await parley.store.outbox.list({ limit: 1 });
    if (latest && isThere(latest)) return latest;
    await Bun.sleep(10);
  }
}

describe("a webhook", () => {
  test("tells of a hand-off, signed, with the conversation where its visitor agreed", async () => {
    using receiver = new Receiver();
    const parley = await start({ webhooks: hooks(receiver.url) });
    const { conversationId, response } = await parley.say("where is my order");
    await post(parley, "/handoff", {
      botId: "shop",
      conversationId,
      name: "Ada",
      message: "<b>call</b> me",
      shareTranscript: true,
    });
    const { id } = await delivery(parley, ({ state }) => state === "delivered");
    const [{ headers, body }] = receiver.received as [Received];
    expect(headers["webhook-id"]).toBe(id);
    expect(new Webhook(WEBHOOK_SECRET).verify(body, headers)).toEqual({
      type: "handoff.requested",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: {
        botId: "shop",
        botName: expect.any(String),
        conversationId,
        handoffId: expect.stringMatching(/^ho_/),
        fields: { name: "Ada", message: "<b>call</b> me" },
        transcript: [{ at: expect.any(String), input: "where is my order", response }],
      },
    });
  });

  test("is told again of a hand-off that its visitor completes, and not of one who only asks again", async () => {
    using receiver = new Receiver();
    const parley = await start({ webhooks: hooks(receiver.url) });
    const asked = await post(parley, "/handoff", { botId: "shop", name: "Ada", message: "call me" });
    const { conversationId, handoffId } = (await asked.json()) as Record<string, string>;
    const first = await delivery(parley, ({ state }) => state === "delivered");
    await post(parley, "/handoff", { botId: "shop", conversationId });
    await post(parley, "/handoff", { botId: "shop", conversationId, message: "at noon" });
    await delivery(parley, ({ id, state }) => id !== first.id && state === "delivered");
    const told = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: object });
    expect(told).toMatchObject([
      { type: "handoff.requested", data: { handoffId, fields: { name: "Ada", message: "call me" } } },
      {
        type: "handoff.requested",
        data: { handoffId, isUpdate: true, fields: { name: "Ada", message: "call me\n\nat noon" } },
      },
    ]);
    expect(told[0]!.data).not.toHaveProperty("isUpdate");
  });

  test("is told what a person said, in its place, and no line of the bot that a visitor does not see", async () => {
    using receiver = new Receiver();
    const parley = await start({ webhooks: hooks(receiver.url) });
    const { conversationId, response } = await parley.say("where is my order");
    const asked = await post(parley, "/handoff", { botId: "shop", conversationId });
    const { handoffId } = (await asked.json()) as { handoffId: string };
    const { handoffs } = parley.store;
    const at = Date.now();
    const person = { id: handoffId, operator: "ann@shop.example", name: "Ann", at, until: at + 600_000 };
    await handoffs.take(person);
    await parley.say("hello?", { conversationId });
    await handoffs.say({ ...person, at: Date.now() }, "Hello");
    await handoffs.release(handoffId, Date.now());
    await delivery(parley, ({ state }) => state === "delivered");
    await post(parley, "/handoff", { botId: "shop", conversationId, shareTranscript: true });
    while (receiver.received.length < 2) await Bun.sleep(10);
    const { data } = JSON.parse(receiver.received[1]!.body) as { data: object };
    const when = { at: expect.any(String) };
    expect(data).toMatchObject({
      isUpdate: true,
      transcript: [
        { ...when, input: "where is my order", response },
        { ...when, operator: "Ann", state: "live" },
        { ...when, input: "hello?" },
        { ...when, operator: "Ann", response: "Hello" },
        { ...when, state: "open" },
      ],
    });
    expect(JSON.stringify(data)).not.toContain("passed on");
  });

  test("tells nothing of the conversation where the visitor did not agree", async () => {
    using receiver = new Receiver();
    const parley = await start({ webhooks: hooks(receiver.url) });
    const { conversationId } = await parley.say("where is my order");
    await post(parley, "/handoff", { botId: "shop", conversationId });
    await delivery(parley, ({ state }) => state === "delivered");
    expect(receiver.received[0]!.body).not.toContain("where is my order");
  });

  test("tells of a rating", async () => {
    using receiver = new Receiver();
    const parley = await start({ webhooks: hooks(receiver.url) });
    const answered = await parley.chat({ botId: "shop", input: "where is my order" });
    const { conversationId } = (await answered.json()) as { conversationId: string };
    const requestId = answered.headers.get("X-Request-Id");
    await post(parley, "/feedback", { conversationId, requestId, rating: "down", reason: "vague" });
    await delivery(parley, ({ state }) => state === "delivered");
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      type: "feedback.given",
      data: { conversationId, requestId, rating: "down", reason: "vague" },
    });
  });

  test("is told of the same rating once, and of a rating that waits as it is by then", async () => {
    using receiver = new Receiver();
    receiver.answer = () => new Response("no", { status: 500 });
    const parley = await start({ webhooks: hooks(receiver.url) });
    const answered = await parley.chat({ botId: "shop", input: "where is my order" });
    const { conversationId } = (await answered.json()) as { conversationId: string };
    const rating = { conversationId, requestId: answered.headers.get("X-Request-Id") };
    await post(parley, "/feedback", { ...rating, rating: "down" });
    const { id } = await delivery(parley, ({ error }) => error !== undefined);
    await post(parley, "/feedback", { ...rating, rating: "down" });
    await post(parley, "/feedback", { ...rating, rating: "up" });
    expect(await parley.store.outbox.list({ limit: 9 })).toHaveLength(1);
    receiver.answer = () => new Response("ok");
    await parley.store.outbox.resend(id, Date.now());
    await delivery(parley, ({ state }) => state === "delivered");
    expect(JSON.parse(receiver.received.at(-1)!.body)).toMatchObject({ data: { rating: "up" } });
    await post(parley, "/feedback", { ...rating, rating: "up" });
    expect(await parley.store.outbox.list({ limit: 9 })).toHaveLength(1);
    await post(parley, "/feedback", { ...rating, rating: "down" });
    expect(await parley.store.outbox.list({ limit: 9 })).toHaveLength(2);
  });

  test("that stalls with ratings holds up no hand-off", async () => {
    using receiver = new Receiver();
    const stalled = Promise.withResolvers<Response>();
    receiver.answer = () =>
      receiver.received.at(-1)!.body.includes("feedback") ? stalled.promise : new Response("ok");
    const parley = await start({ webhooks: hooks(receiver.url) });
    for (let i = 0; i < 12; i += 1) {
      const answered = await parley.chat({ botId: "shop", input: "where is my order" });
      const { conversationId } = (await answered.json()) as { conversationId: string };
      const requestId = answered.headers.get("X-Request-Id");
      await post(parley, "/feedback", { conversationId, requestId, rating: "down" });
    }
    while (receiver.received.length < 4) await Bun.sleep(5);
    await post(parley, "/handoff", { botId: "shop" });
    const told = await delivery(parley, ({ state }) => state === "delivered");
    stalled.resolve(new Response("late"));
    expect(told.event).toBe("handoff.requested");
  });

  test("takes the events and the bots that its configuration names, and no others", async () => {
    using receiver = new Receiver();
    const parley = await start({ webhooks: hooks(receiver.url, { events: ["feedback.given"] }) });
    await post(parley, "/handoff", { botId: "shop" });
    expect(await parley.store.outbox.list({ limit: 9 })).toEqual([]);
    const other = await start({ webhooks: hooks(receiver.url, { bots: ["another"] }) });
    await post(other, "/handoff", { botId: "shop" });
    expect(await other.store.outbox.list({ limit: 9 })).toEqual([]);
  });

  test("that the bot file names takes its hand-offs, whatever else it takes", async () => {
    using receiver = new Receiver();
    const more = { events: ["feedback.given"], bots: ["another"] };
    const parley = await start({ webhooks: hooks(receiver.url, more) }, { webhook: "crm" });
    await post(parley, "/handoff", { botId: "shop" });
    await delivery(parley, ({ state }) => state === "delivered");
  });

  test("that fails is tried again with the same id, and again by hand", async () => {
    using receiver = new Receiver();
    receiver.answer = () => new Response("no", { status: 500 });
    const parley = await start({ webhooks: hooks(receiver.url) });
    await post(parley, "/handoff", { botId: "shop" });
    const waiting = await delivery(parley, ({ attempts, error }) => attempts === 1 && error !== undefined);
    expect(waiting).toMatchObject({ state: "waiting", error: "the receiver answered with status 500" });
    expect(waiting.nextAt).toBeGreaterThan(waiting.createdAt);
    receiver.answer = () => new Response("ok");
    expect(await parley.store.outbox.resend(waiting.id, Date.now())).toBe(true);
    await delivery(parley, ({ state }) => state === "delivered");
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids)).toEqual(new Set([waiting.id]));
  });

  test("that is gone is not tried again", async () => {
    using receiver = new Receiver();
    receiver.answer = () => new Response("", { status: 410 });
    const parley = await start({ webhooks: hooks(receiver.url) });
    await post(parley, "/handoff", { botId: "shop" });
    await delivery(parley, ({ state }) => state === "given-up");
    expect(receiver.received).toHaveLength(1);
  });

  test("that leads elsewhere is not followed", async () => {
    using elsewhere = new Receiver();
    using receiver = new Receiver();
    receiver.answer = () => Response.redirect(elsewhere.url, 307);
    const parley = await start({ webhooks: hooks(receiver.url) });
    await post(parley, "/handoff", { botId: "shop" });
    const { error } = await delivery(parley, ({ error: said }) => said !== undefined);
    expect(error).toContain("redirects are not followed");
    expect(elsewhere.received).toEqual([]);
  });

  test("that stalls holds up neither visitors nor the server's end", async () => {
    using receiver = new Receiver();
    const stalled = Promise.withResolvers<Response>();
    receiver.answer = () => stalled.promise;
    const parley = await start({ webhooks: hooks(receiver.url) });
    const asked = await post(parley, "/handoff", { botId: "shop" });
    expect(asked.status).toBe(200);
    while (receiver.received.length === 0) await Bun.sleep(5);
    expect((await parley.chat({ botId: "shop", input: "where is my order" })).status).toBe(200);
    opened.pop();
    await parley.server.close();
    await using _ = parley.store;
    const [left] = await parley.store.outbox.list({ limit: 1 });
    expect(left).toMatchObject({ state: "waiting", attempts: 1 });
    stalled.resolve(new Response("late"));
  });

  test("is told nothing of what was erased before", async () => {
    using receiver = new Receiver();
    receiver.answer = () => new Response("", { status: 500 });
    const parley = await start({ webhooks: hooks(receiver.url) });
    const asked = (await (await post(parley, "/handoff", { botId: "shop", message: "canary" })).json()) as {
      conversationId: string;
    };
    await delivery(parley, ({ error }) => error !== undefined);
    await parley.store.erasure.erase([{ id: asked.conversationId }], {});
    expect(await parley.store.outbox.list({ limit: 9 })).toEqual([]);
  });

  test("is named in the log where its secret is wrong, or a bot or it names what there is not", async () => {
    const logged: { level: number; msg: string }[] = [];
    await using _ = await startParley({
      bots: [shopBot({ id: "shop", handoff: { webhook: "crmm" } })],
      flags: { webhooks: hooks("https://crm.example/", { bots: ["shop", "shopp"] }) },
      parts: { env: { HOOK_SECRET: "canary" } },
      onLog: (line) => void logged.push(line as (typeof logged)[number]),
    });
    const warnings = logged.filter(({ level }) => level === 40);
    expect(warnings).toMatchObject([
      {
        botId: "shop",
        webhook: "crmm",
        didYouMean: "crm",
        msg: "bot names a webhook that is not configured",
      },
      { webhook: "crm", bot: "shopp", didYouMean: "shop", msg: "a webhook names a bot that there is not" },
      {
        webhook: "crm",
        variable: "HOOK_SECRET",
        msg: "the secret of a webhook is not `whsec_` and 24 to 64 bytes in Base64",
      },
    ]);
    expect(JSON.stringify(logged)).not.toContain("canary");
  });

  test("without its secret waits, and says which variable", async () => {
    using receiver = new Receiver();
    const parley = await start({ webhooks: hooks(receiver.url, { secretEnv: "OTHER_SECRET" }) });
    await post(parley, "/handoff", { botId: "shop" });
    const { error } = await delivery(parley, ({ error: said }) => said !== undefined);
    expect(error).toContain("OTHER_SECRET");
    expect(receiver.received).toEqual([]);
  });
});

describe("an e-mail", () => {
  test("tells of a hand-off in plain text; nothing that a visitor writes becomes a header", async () => {
    const { url, letters, server } = await mailServer();
    const flags = { smtp: url, mailFrom: "Parley <parley@shop.example>" };
    const parley = await start(flags, { email: "team@shop.example" });
    await post(parley, "/handoff", {
      botId: "shop",
      name: "Ada Bcc: victim@example.com",
      email: "ada@example.com",
      message: "<img src=x>",
    });
    await delivery(parley, ({ state }) => state === "delivered");
    server.close();
    const [letter] = letters as [string];
    const [headers, text] = letter.split("\n\n") as [string, string];
    expect(headers).toContain("To: team@shop.example");
    expect(headers).toContain("Reply-To: ada@example.com");
    expect(headers).toContain("Content-Type: text/plain");
    expect(headers).not.toContain("victim@example.com");
    expect(text).toContain("asks for a person");
    expect(letter).toContain("Name: Ada Bcc: victim@example.com\n");
    expect(letter).toContain("Message: <img src=x>\n");
  });

  test("tells of one who asks as they come, and of many in one letter: none is lost, and a restart forgets no letter that was sent", async () => {
    const { url, letters, server } = await mailServer();
    const clock = { now: Date.now() };
    const flags = { smtp: url, mailFrom: "parley@shop.example" };
    const parley = await start(flags, { email: "team@shop.example" }, { now: () => clock.now });
    const asked: string[] = [];
    const ask = async (at: string = parley.url) => {
      const response = await fetch(`${at}/handoff`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}` },
        body: JSON.stringify({ botId: "shop", message: "call me" }),
      });
      asked.push(((await response.json()) as { conversationId: string }).conversationId);
    };
    const listed = (state: "waiting" | "delivered") => parley.store.outbox.list({ state, limit: 100 });
    const heldBack = async (count: number) => {
      await eventually(async () => {
        const held = (await listed("waiting")).filter(({ error }) => error?.includes("many e-mails"));
        expect(held).toHaveLength(count);
        for (const { attempts, nextAt } of held) expect([attempts, nextAt! > clock.now]).toEqual([0, true]);
      });
    };
    for (let count = 1; count <= 5; count += 1) {
      await ask();
      await eventually(() => expect(letters).toHaveLength(count));
      await eventually(async () => expect(await listed("delivered")).toHaveLength(count));
      clock.now += 1000;
    }
    for (let i = 0; i < 20; i += 1) await ask();
    await heldBack(20);
    expect(letters).toHaveLength(5);
    await parley.endServer();
    const { PARLEY_STORE: store } = parley.env;
    const own = { data: parley.dataDir, ...(store !== undefined && { store }) };
    const ports = { port: "0", operatorPort: "0", rateLimitCapacity: "100000" };
    const config = loadConfig({ flags: { ...flags, ...own, ...ports }, env: {}, readFile: () => "" });
    const another = await startServer(config, {
      log: pino({ level: "silent" }),
      now: () => clock.now,
    });
    opened.push({ [Symbol.asyncDispose]: () => another.close() });
    await ask(another.localUrl);
    await heldBack(21);
    expect(letters).toHaveLength(5);
    clock.now += 4 * 60_000;
    await ask(another.localUrl);
    await eventually(async () => expect(await listed("delivered")).toHaveLength(27));
    server.close();
    expect(letters.length).toBeLessThanOrEqual(7);
    expect(letters[5]).toMatch(/Subject: 2\d visitors ask for a person/);
    // A soft line break of quoted-printable is none.
    const told = letters
      .join("\n")
      .replaceAll("=\n", "")
      .matchAll(/^Conversation: (\S+)$/gm);
    expect([...told].map(([, id]) => id!).toSorted()).toEqual(asked.toSorted());
  });

  test("with an address that no header may hold has no Reply-To", async () => {
    const { url, letters, server } = await mailServer();
    const flags = { smtp: url, mailFrom: "parley@shop.example" };
    const parley = await start(flags, { email: "team@shop.example" });
    await post(parley, "/handoff", { botId: "shop", email: "a,victim@example.com" });
    await delivery(parley, ({ state }) => state === "delivered");
    server.close();
    expect(letters[0]!.split("\n\n")[0]).not.toContain("Reply-To");
  });

  test("that the mail server refuses for good is given up, with its status", async () => {
    const { url, server } = await mailServer("554 no such person");
    const flags = { smtp: url, mailFrom: "parley@shop.example" };
    const parley = await start(flags, { email: "team@shop.example" });
    await post(parley, "/handoff", { botId: "shop" });
    const { error } = await delivery(parley, ({ state }) => state === "given-up");
    server.close();
    expect(error).toContain("554");
  });

  test("is not so much as noted where there is no mail server", async () => {
    const parley = await start({}, { email: "team@shop.example" });
    await post(parley, "/handoff", { botId: "shop" });
    expect(await parley.store.outbox.list({ limit: 9 })).toEqual([]);
  });
});
