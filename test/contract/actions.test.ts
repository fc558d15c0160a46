import { describe, expect, test } from "bun:test";

import pino from "pino";

import { loadConfig } from "../../src/config/config.ts";
import type { Endpoints, EndpointSettings } from "../../src/config/endpoints.ts";
import type { BotDocument } from "../../src/domain/bot.ts";
import { startServer } from "../../src/http/server.ts";
import { auditDecisions } from "../../src/operate/audit-decisions.ts";
import { actionsOfConversation } from "../../src/operate/receipt/describe-action.ts";
import { EndpointServer } from "../support/endpoint-server.ts";
import { eventually } from "../support/eventually.ts";
import { signIn } from "../support/operators.ts";
import { ORDER_INTENTS, ordersBot } from "../support/orders-bot.ts";
import { type ParleyOptions, startParley, type TestParley } from "../support/parley.ts";
import { Receiver, WEBHOOK_SECRET } from "../support/webhook-receiver.ts";

const MINUTE_MS = 60_000;

interface Options extends Omit<ParleyOptions, "bots"> {
  bot?: BotDocument;
  endpoint?: Partial<EndpointSettings>;
}

/** A server whose clock can be set, and the endpoint that its actions call. */
async function start({ bot = ordersBot(), endpoint = {}, ...options }: Options = {}) {
  const orders = new EndpointServer();
  orders.answer = ({ method }) =>
    method === "POST" ? Response.json({}) : Response.json({ state: "packing" });
  const endpoints: Endpoints = {
    orders: orders.settings({ methods: ["GET"], ...endpoint }),
    "order-changes": orders.settings({ methods: ["POST"], ...endpoint }),
  };
  const clock = { now: Date.now() };
  const parley = await startParley({
    ...options,
    bots: [bot],
    flags: { encoder: "off", endpoints: JSON.stringify(endpoints), ...options.flags },
    parts: { now: () => clock.now, ...options.parts },
  });
  return {
    parley,
    orders,
    clock,
    talk: () => new Talk(parley),
    /** Another one on the same store. */
    async anotherServer() {
      const config = loadConfig({
        flags: { port: "0", operatorPort: "0", encoder: "off", endpoints: JSON.stringify(endpoints) },
        env: parley.env,
        readFile: () => "",
      });
      const server = await startServer(config, { log: pino({ level: "silent" }) });
      return { localUrl: server.localUrl, [Symbol.asyncDispose]: () => server.close() };
    },
    [Symbol.asyncDispose]: async () => {
      await parley[Symbol.asyncDispose]();
      orders[Symbol.dispose]();
    },
  };
}

/** A conversation. */
class Talk {
  id: string | undefined;
  readonly #parley: TestParley;

  constructor(parley: TestParley) {
    this.#parley = parley;
  }

  async say(input: string) {
    const answer = await this.#parley.say(input, this.id === undefined ? {} : { conversationId: this.id });
    this.id = answer.conversationId;
    return answer;
  }

  /** Says it to another server, too. */
  async sayTo(url: string, input: string) {
    const answer = await fetch(`${url}/chat`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.#parley.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ botId: "shop", input, conversationId: this.id }),
    });
    return (await answer.json()) as { response: string; metadata: Record<string, unknown> };
  }

  /** Says one thing after the other. @returns the last answer */
  async through(...inputs: string[]) {
    let answer = await this.say(inputs[0]!);
    for (const input of inputs.slice(1)) answer = await this.say(input);
    return answer;
  }

  /** Asks for a person by the button. @returns the id of the hand-off */
  async pressForPerson(fields: object = {}): Promise<string> {
    const answer = await fetch(`${this.#parley.url}/handoff`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.#parley.token}` },
      body: JSON.stringify({ botId: "shop", conversationId: this.id, name: "Ann", ...fields }),
    });
    return ((await answer.json()) as { handoffId: string }).handoffId;
  }

  async actionTurns() {
    return this.#parley.store.conversations.listActionTurns(this.id!);
  }

  async turns() {
    return this.#parley.store.conversations.listTurns(this.id!);
  }
}

describe("an action", () => {
  test("asks for what it has to know, one at a time, and says what came of it", async () => {
    await using at = await start();
    const talk = at.talk();
    const first = await talk.say("where is my order");
    expect(first).toMatchObject({
      response: "What is your order number?",
      intentDetected: "orders.status",
      metadata: {
        capabilityAllowed: true,
        action: { name: "orders.status", state: "asking", slot: "orderNumber" },
      },
    });
    const second = await talk.say("48213");
    expect(second.response).toBe("And the e-mail address it was ordered with?");
    expect(second.metadata["action"]).toEqual({ name: "orders.status", state: "asking", slot: "email" });
    const third = await talk.say("ann@example.org");
    expect(third).toMatchObject({
      response: "It is being packed.",
      intentDetected: "orders.status",
      metadata: { action: { name: "orders.status", state: "done" } },
    });
    expect(at.orders.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /orders/48213?email=ann%40example.org",
    ]);
  });

  test("takes values out of the message that asks, and what was said before", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say("my e-mail is ann@example.org");
    expect((await talk.say("where is my order 48213")).response).toBe("It is being packed.");
    const receipt = (await talk.turns()).at(-1)!.receipt.action!;
    expect(receipt.filled).toEqual([
      { slot: "email", from: "earlier" },
      { slot: "orderNumber", from: "message" },
    ]);
  });

  test("does not ask again for what was given, and takes another value where one is given", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.through("where is my order 48213", "ann@example.org");
    expect((await talk.say("where is my parcel")).response).toBe("It is being packed.");
    expect((await talk.say("and 48214?")).response).toBe("It is being packed.");
    expect(at.orders.requests.map(({ path }) => path.slice(8, 13))).toEqual(["48213", "48213", "48214"]);
  });

  test("asks again with what is wrong, and offers a person the second time", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say("where is my order");
    const once = await talk.say("hmm, the blue one");
    expect(once.response).toBe("That doesn't have the right form. What is your order number?");
    expect(once.metadata["handoff"]).toBeUndefined();
    const twice = await talk.say("the one from last week");
    expect(twice.metadata).toMatchObject({ handoff: { state: "offered" } });
    expect((await talk.say("48213")).response).toBe("And the e-mail address it was ordered with?");
  });

  test.each(["never mind", "no"])("is ended by %j", async (input) => {
    await using at = await start();
    const talk = at.talk();
    const answer = await talk.through("where is my order", input);
    expect(answer.response).toBe("Alright. Just write if there is anything else.");
    expect(answer.metadata["action"]).toBeUndefined();
    expect((await talk.say("48213")).metadata["enforcementReason"]).toBe("no_intent_match");
    expect(at.orders.requests).toEqual([]);
  });

  test("is ended by who asks for a person", async () => {
    await using at = await start();
    const talk = at.talk();
    const answer = await talk.through("where is my order", "I want to talk to a human");
    expect(answer.intentDetected).toBe("social.person");
    expect((await talk.say("48213")).metadata["action"]).toBeUndefined();
    expect((await talk.turns())[1]!.receipt.action).toMatchObject({ ended: "person" });
  });

  test("waits while another question is answered, and asks again behind it", async () => {
    await using at = await start();
    const talk = at.talk();
    const answer = await talk.through("where is my order", "when are you open");
    expect(answer).toMatchObject({
      response: "We are open from nine to six.\n\nWhat is your order number?",
      intentDetected: "store.hours",
      metadata: { action: { name: "orders.status", state: "asking", slot: "orderNumber" } },
    });
    expect((await talk.say("48213")).response).toBe("And the e-mail address it was ordered with?");
  });

  test("gives way to another action, which takes what is known", async () => {
    await using at = await start();
    const talk = at.talk();
    const answer = await talk.through("where is my order 48213", "no, please cancel my order");
    expect(answer).toMatchObject({ response: "Your e-mail address?", intentDetected: "orders.cancel" });
  });

  test("is told of what was stored, and answered alike when it is sent again", async () => {
    await using at = await start();
    const keyed = { headers: { "Idempotency-Key": "where-is-my-order-1" } };
    const body = { botId: "shop", input: "cancel order 48213, ann@example.org" };
    const first = await (await at.parley.chat(body, keyed)).json();
    expect(first).toMatchObject({
      metadata: {
        action: { name: "orders.cancel", state: "confirm" },
        next: [
          { label: "Yes", input: "Yes" },
          { label: "No", input: "No" },
        ],
      },
    });
    expect(await (await at.parley.chat(body, keyed)).json()).toEqual(first);
  });

  test("draws nothing that its endpoint says", async () => {
    await using at = await start();
    at.orders.answer = () =>
      Response.json({ state: "note", note: "[a](https://evil.example) {orderNumber} **b**" });
    const { response } = await at.talk().say("where is my order 48213, ann@example.org");
    expect(response).toBe("Note: \\[a\\](https\\://evil.example) {orderNumber} \\*\\*b\\*\\*");
  });

  test.each<[what: string, answer: () => Response | Promise<Response>, said: string]>([
    [
      "nothing that is named",
      () => new Response(null, { status: 500 }),
      "I can't reach our order system right now.",
    ],
    ["no JSON", () => new Response("<b>"), "I can't reach our order system right now."],
    [
      "lists in lists without end",
      () => new Response(`{"state":${"[".repeat(130_000)}${"]".repeat(130_000)}}`),
      "I can't reach our order system right now.",
    ],
    [
      "a state that no entry has",
      () => Response.json({ state: "lost" }),
      "I can't reach our order system right now.",
    ],
    [
      "no day where one is said",
      () => Response.json({ state: "shipped" }),
      "I can't reach our order system right now.",
    ],
    [
      "what is named",
      () => new Response(null, { status: 404 }),
      "I find no order with that number and address.",
    ],
  ])("says so where its endpoint answers %s", async (_, answer, said) => {
    await using at = await start();
    at.orders.answer = answer;
    const { response, metadata } = await at.talk().say("where is my order 48213, ann@example.org");
    expect(response).toBe(said);
    expect(metadata["action"]).toMatchObject({ state: "failed" });
  });

  test("fails where the configuration has no such endpoint", async () => {
    await using at = await start({ flags: { encoder: "off", endpoints: "{}" } });
    const talk = at.talk();
    const { response } = await talk.say("where is my order 48213, ann@example.org");
    expect(response).toBe("I can't reach our order system right now.");
    expect((await talk.turns())[0]!.receipt.action!.call).toMatchObject({ fault: "unknown-endpoint" });
  });

  test("keeps values out of its receipt, and counts its calls", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say("where is my order 48213, ann@example.org");
    const [turn] = await talk.turns();
    expect(turn!.receipt.action).toMatchObject({
      intent: "orders.status",
      state: "done",
      call: { endpoint: "orders", method: "GET", status: 200, answer: 2 },
    });
    expect(JSON.stringify(turn!.receipt)).not.toMatch(/48213|ann@/);
  });

  const judgedBot = (outputSchema: Record<string, unknown>, fallbackResponse: string) =>
    ordersBot({ outputSchema, fallbackResponse });

  test("has its result judged by the intent's schema, and its questions not", async () => {
    await using at = await start({ bot: judgedBot({ type: "string", maxLength: 20 }, "See mail.") });
    const talk = at.talk();
    const question = await talk.say("where is my order 48213");
    expect(question).toMatchObject({ metadata: { schemaEnforced: false } });
    expect(await talk.say("ann@example.org")).toMatchObject({
      response: "It is being packed.",
      metadata: { schemaEnforced: true, action: { state: "done" } },
    });
    at.orders.answer = () => Response.json({ state: "note", note: "it is in the second van" });
    expect(await talk.say("and 48214?")).toMatchObject({
      response: "I can't reach our order system right now.",
      metadata: { schemaEnforced: false, schemaFallbackUsed: false, action: { state: "failed" } },
    });
    expect((await talk.turns()).at(-1)!.receipt.action!.call).toMatchObject({ fault: "not-in-schema" });
  });

  test("is unsure where something was done, and the schema forbids what would be said of it", async () => {
    await using at = await start({ bot: judgedBot({ type: "string", maxLength: 20 }, "See mail.") });
    const { response, metadata } = await at.talk().through("cancel order 48213, ann@example.org", "yes");
    expect(response).toStartWith("I don't know whether");
    expect(metadata).toMatchObject({
      schemaFallbackUsed: false,
      action: { state: "unsure" },
      handoff: { state: "offered" },
    });
  });

  test("says that it is unsure, and that it failed, whatever the schema", async () => {
    await using at = await start({ bot: judgedBot({ type: "string", maxLength: 20 }, "See mail.") });
    at.orders.answer = () => new Response(null, { status: 500 });
    const { response } = await at.talk().through("cancel order 48213, ann@example.org", "yes");
    expect(response).toStartWith("I don't know whether");
    at.orders.answer = () => new Response(null, { status: 400 });
    const failed = await at.talk().through("cancel order 48213, ann@example.org", "yes");
    expect(failed.response).toBe("That did not work.");
  });

  test("puts nothing before a result that a schema judges", async () => {
    const status = ORDER_INTENTS.find(({ name }) => name === "orders.status")!;
    const slots = [...status.slots!, { name: "day", type: "date" as const, ask: "Ordered when?" }];
    const action = {
      ...status.action!,
      path: "/orders/{orderNumber}?email={email}&day={day}",
      answers: [{ say: '{{"state":"{body.state}"}' }],
    };
    const intents = [
      { ...status, slots, action, outputSchema: { type: "object" }, fallbackResponse: "{}" },
      ...ORDER_INTENTS.filter((intent) => intent !== status),
    ];
    await using at = await start({ bot: ordersBot({ intents, language: "en-GB" }) });
    const answer = await at.talk().through("where is my order 48213, ann@example.org", "3/4");
    expect(answer).toMatchObject({ response: '{"state":"packing"}', metadata: { schemaEnforced: true } });
  });
});

describe("a hand-off", () => {
  type Detail = { actions?: { slots: object[]; calls: { at: number; requestId: string }[] } };

  test("shows what was given and called, and no value of a proof that is forgotten", async () => {
    await using at = await start();
    const ann = await signIn(at.parley, "ann");
    const talk = at.talk();
    await talk.through("where is my order 48213", "ann@example.org", "I want to talk to a human");
    const handoffId = await talk.pressForPerson();
    const shown = async () => (await ann.json<Detail>("GET", `/handoffs/${handoffId}`)).actions!;
    const { slots, calls } = await shown();
    expect(slots).toEqual([
      { name: "orderNumber", value: "48213" },
      { name: "email", value: "ann@example.org" },
    ]);
    expect(calls).toEqual([
      expect.objectContaining({
        intent: "orders.status",
        state: "done",
        says: expect.stringMatching(/^GET orders: status 200 in [\d.]+ ms$/),
      }),
    ]);
    at.clock.now += 16 * MINUTE_MS;
    const later = await shown();
    expect(later.slots).toEqual([{ name: "orderNumber" }, { name: "email" }]);
    expect(later.calls).toEqual(calls);
  });

  test("names what was given where no text is stored", async () => {
    await using at = await start({ flags: { storeMessages: "none" } });
    const talk = at.talk();
    await talk.say("where is my order 48213");
    expect(actionsOfConversation(await talk.actionTurns(), at.clock.now)).toEqual({
      slots: [{ name: "orderNumber" }],
      calls: [],
    });
  });

  test("of a conversation without an action says nothing of any", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say("when are you open");
    expect(actionsOfConversation(await talk.actionTurns(), at.clock.now)).toBeUndefined();
  });
});

describe.each(["all", "none"])(
  "who asks for a person by the button, with texts stored: %s",
  (storeMessages) => {
    const SECOND_MS = 1000;
    const starting = () => start({ flags: { storeMessages } });

    test("confirms nothing by a yes before somebody is there, and is asked anew", async () => {
      await using at = await starting();
      const talk = at.talk();
      const asked = await talk.say("cancel order 48213, ann@example.org");
      expect(asked.metadata["action"]).toMatchObject({ state: "confirm" });
      at.clock.now += SECOND_MS;
      await talk.pressForPerson();
      at.clock.now += SECOND_MS;
      // Nothing is open: a yes to the question before asks it anew.
      expect((await talk.say("yes")).metadata["action"]).toMatchObject({ state: "confirm" });
      expect(at.orders.requests).toEqual([]);
    });

    test("ends what is asked also where one waits already, and may ask for it anew", async () => {
      await using at = await starting();
      const talk = at.talk();
      await talk.say("where is my order");
      await talk.pressForPerson();
      at.clock.now += SECOND_MS;
      await talk.say("where is my order 48213");
      at.clock.now += SECOND_MS;
      await talk.pressForPerson({ email: "ann@example.org" });
      at.clock.now += SECOND_MS;
      expect((await talk.say("ann@example.org")).metadata["action"]).toBeUndefined();
      expect(at.orders.requests).toEqual([]);
      at.clock.now += SECOND_MS;
      expect((await talk.say("where is my order 48213")).response).toBe("It is being packed.");
    });

    test("has told a person what fills no slot later", async () => {
      await using at = await starting();
      const ann = await signIn(at.parley, "ann");
      const talk = at.talk();
      await talk.say("when are you open");
      const handoffId = await talk.pressForPerson();
      await ann.json("POST", `/handoffs/${handoffId}/take`);
      expect((await talk.say("my order is 48213, ann@example.org")).metadata["handoff"]).toEqual({
        state: "live",
      });
      at.clock.now += SECOND_MS;
      await ann.json("POST", `/handoffs/${handoffId}/release`);
      at.clock.now += SECOND_MS;
      expect((await talk.say("where is my order")).response).toBe("What is your order number?");
      await using other = await at.anotherServer();
      expect((await talk.sayTo(other.localUrl, "48213")).response).toBe(
        "And the e-mail address it was ordered with?",
      );
      expect(at.orders.requests).toEqual([]);
    });
  },
);

describe("an action that is confirmed", () => {
  const ASKED = "cancel order 48213, ann@example.org";

  test("is done after a yes, once", async () => {
    await using at = await start();
    const talk = at.talk();
    const asked = await talk.say(ASKED);
    expect(asked.response).toBe("Cancel order 48213?");
    expect(at.orders.requests).toEqual([]);
    const done = await talk.say("yes please");
    expect(done).toMatchObject({
      response: "Order 48213 is cancelled.",
      metadata: { action: { name: "orders.cancel", state: "done" } },
    });
    await talk.say("yes");
    expect(at.orders.requests).toHaveLength(1);
    const [request] = at.orders.requests;
    expect(request).toMatchObject({
      method: "POST",
      path: "/orders/48213/cancel",
      body: '{"email":"ann@example.org"}',
    });
    const [first] = await talk.turns();
    expect(request!.headers["idempotency-key"]).toBe(first!.receipt.action!.confirms);
  });

  test("is done once where the yes is sent again with its key", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say(ASKED);
    const keyed = { headers: { "Idempotency-Key": "yes-cancel-48213" } };
    const body = { botId: "shop", input: "yes", conversationId: talk.id };
    const answers = await Promise.all([1, 2, 3].map(async () => (await at.parley.chat(body, keyed)).json()));
    answers.push(await (await at.parley.chat(body, keyed)).json());
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ response: "Order 48213 is cancelled." });
    expect(at.orders.requests).toHaveLength(1);
  });

  test("says what a visitor gave as plain text in its question", async () => {
    const [status, cancel, ...others] = ORDER_INTENTS;
    const note = { name: "note", type: "text" as const, pattern: "[^0-9]{1,80}", ask: "Why?" };
    const intent = {
      ...cancel!,
      slots: [...cancel!.slots!, note],
      action: { ...cancel!.action!, body: { email: "{email}", note: "{note}" }, confirm: "Cancel? {note}" },
    };
    await using at = await start({
      bot: ordersBot({ intents: [status!, intent, ...others], capabilityProfile: {} }),
    });
    const talk = at.talk();
    const said = await talk.through(ASKED, "see [a](https://evil.example) **b** {email}");
    expect(said.response).toBe("Cancel? see \\[a\\](https\\://evil.example) \\*\\*b\\*\\* {email}");
  });

  test("is not done after a no", async () => {
    await using at = await start();
    const answer = await at.talk().through(ASKED, "no thanks");
    expect(answer.response).toBe("Alright. Just write if there is anything else.");
    expect(at.orders.requests).toEqual([]);
  });

  test("is asked again where a value is replaced, by an id of its own", async () => {
    await using at = await start();
    const talk = at.talk();
    const again = await talk.through(ASKED, "no, 48214");
    expect(again.response).toBe("Cancel order 48214?");
    await talk.say("yes");
    expect(at.orders.requests.map(({ path }) => path)).toEqual(["/orders/48214/cancel"]);
    const ids = (await talk.turns()).flatMap(({ receipt }) => receipt.action?.confirms ?? []);
    expect(new Set(ids).size).toBe(2);
  });

  test("holds for ten minutes", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say(ASKED);
    at.clock.now += 11 * MINUTE_MS;
    expect((await talk.say("yes")).response).toBe("Cancel order 48213?");
    expect(at.orders.requests).toEqual([]);
    expect((await talk.say("yes")).response).toBe("Order 48213 is cancelled.");
  });

  test("is asked anew where the bot's newest version would ask otherwise", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say(ASKED);
    const changed = ORDER_INTENTS.map((intent) =>
      intent.name === "orders.cancel"
        ? { ...intent, action: { ...intent.action!, confirm: "Really cancel {orderNumber}, for 5 €?" } }
        : intent,
    );
    await at.parley.store.bots.seed([ordersBot({ intents: changed })], { prune: false, dryRun: false });
    await eventually(async () => (await at.talk().say(ASKED)).response.startsWith("Really"));
    expect((await talk.say("yes")).response).toBe("Really cancel 48213, for 5 €?");
    expect((await talk.say("yes")).response).toBe("Order 48213 is cancelled.");
    expect(at.orders.requests).toHaveLength(1);
  });

  test("is asked for again where the reply is neither yes nor no", async () => {
    await using at = await start();
    const answer = await at.talk().through(ASKED, "perhaps tomorrow");
    expect(answer.response).toBe("I need a yes or a no. Cancel order 48213?");
    expect(at.orders.requests).toEqual([]);
  });

  test("waits while another question is answered", async () => {
    await using at = await start();
    const talk = at.talk();
    const aside = await talk.through(ASKED, "when are you open");
    expect(aside.response).toBe("We are open from nine to six.\n\nCancel order 48213?");
    expect((await talk.say("yes")).response).toBe("Order 48213 is cancelled.");
  });

  test.each<[what: string, answer: () => Response | Promise<Response>, said: string, state: string]>([
    ["a status of 400 to 499", () => new Response(null, { status: 400 }), "That did not work.", "failed"],
    ["a status that is named", () => new Response(null, { status: 409 }), "It has left already.", "failed"],
    ["a status of 500", () => new Response(null, { status: 500 }), "I don't know whether", "unsure"],
    ["a redirect", () => new Response(null, { status: 303 }), "I don't know whether", "unsure"],
    ["no JSON", () => new Response("ok"), "I don't know whether", "unsure"],
  ])("says what it knows where its endpoint answers %s", async (_, answer, said, state) => {
    await using at = await start();
    at.orders.answer = answer;
    const { response, metadata } = await at.talk().through(ASKED, "yes");
    expect(response).toStartWith(said);
    expect(metadata).toMatchObject({ action: { state } });
    expect(metadata["handoff"] !== undefined).toBe(state === "unsure");
  });

  test("is never repeated by itself where nobody knows what came of it", async () => {
    await using at = await start({ endpoint: { timeoutMs: 100 } });
    at.orders.answer = () => new Promise<Response>(() => {});
    const talk = at.talk();
    const answer = await talk.through(ASKED, "yes");
    expect(answer.metadata["action"]).toMatchObject({ state: "unsure" });
    await talk.say("yes");
    expect(at.orders.requests).toHaveLength(1);
  });

  test("is done once where a yes is sent twice at the same time, also to two servers", async () => {
    await using at = await start();
    await using other = await at.anotherServer();
    const talk = await saying(at.talk(), ASKED);
    const urls = [at.parley.url, other.localUrl, at.parley.url, other.localUrl];
    const answers = await Promise.all(urls.map((url) => talk.sayTo(url, "yes")));
    expect(at.orders.requests).toHaveLength(1);
    expect(answers.filter(({ response }) => response === "Order 48213 is cancelled.")).toHaveLength(1);
  });
});

describe("a day that could be another one", () => {
  /** A table is looked for, and then booked; neither tells of anybody. */
  function tableBot(language: string, confirm?: string) {
    const action = {
      endpoint: confirm === undefined ? "orders" : "order-changes",
      path: confirm === undefined ? "/orders/{day}" : "/orders/{day}/cancel",
      ...(confirm !== undefined && { method: "POST" as const, confirm }),
      answers: [{ say: "There is a table." }],
      failure: "That did not work.",
    };
    const slots = [
      { name: "day", type: "date" as const, ask: "For which day?" },
      { name: "note", type: "text" as const, pattern: "N[0-9]{3}", optional: true },
    ];
    const path = `${action.path}?note={note}`;
    const table = { ...ORDER_INTENTS[0]!, slots, action: { ...action, path } };
    return ordersBot({ language, intents: [table, ...ORDER_INTENTS.slice(2)] });
  }
  const starting = (language: string, confirm?: string) =>
    start({ bot: tableBot(language, confirm), endpoint: { public: true } });
  const paths = ({ orders }: Awaited<ReturnType<typeof start>>) => orders.requests.map(({ path }) => path);

  test("is asked about in English of no country, before anything is called", async () => {
    await using at = await starting("en");
    const talk = at.talk();
    const read = await talk.through("where is my order", "3/4/2031");
    expect(read).toMatchObject({
      response: "I take that as Thursday, 3 April 2031. Is that right?",
      metadata: {
        action: { state: "asking", slot: "day" },
        next: [{ input: "Yes" }, { input: "No" }],
      },
    });
    expect((await talk.say("purple")).response).toBe(
      "I need a yes or a no. I take that as Thursday, 3 April 2031. Is that right?",
    );
    expect((await talk.say("no")).response).toBe("For which day?");
    expect((await talk.say("4/3/2031")).response).toStartWith("I take that as Tuesday, 4 March 2031.");
    expect(paths(at)).toEqual([]);
    expect((await talk.say("yes")).response).toBe("There is a table.");
    expect(paths(at)).toEqual(["/orders/2031-03-04"]);
  });

  test("is asked for by a server that does not know it", async () => {
    const bot = tableBot("en");
    await using at = await start({ bot, endpoint: { public: true }, flags: { storeMessages: "none" } });
    const talk = at.talk();
    await talk.through("where is my order", "3/4/2031");
    await using other = await at.anotherServer();
    const answer = await fetch(`${other.localUrl}/chat`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${at.parley.token}` },
      body: JSON.stringify({ botId: "shop", input: "purple", conversationId: talk.id }),
    });
    expect(((await answer.json()) as { response: string }).response).toEndWith("For which day?");
    expect(paths(at)).toEqual([]);
  });

  test("is replaced by another one", async () => {
    await using at = await starting("en");
    await at.talk().through("where is my order, on 3/4/2031", "no, 4 March 2031");
    expect(paths(at)).toEqual(["/orders/2031-03-04"]);
  });

  test("is only told of where the language's region says which it is", async () => {
    await using at = await starting("en-US");
    const told = await at.talk().through("where is my order", "3/4/2031");
    expect(told.response).toBe("I take that as Tuesday, March 4, 2031. There is a table.");
    expect(paths(at)).toEqual(["/orders/2031-03-04"]);
  });

  test("is asked about once where the action is confirmed with it", async () => {
    await using at = await starting("en", "Book {day}?");
    const talk = at.talk();
    const asked = await talk.through("where is my order", "3/4/2031");
    expect(asked.response).toEndWith("Book Thursday, 3 April 2031?");
    expect(asked.metadata["action"]).toMatchObject({ state: "confirm" });
    expect((await talk.say("yes")).response).toBe("There is a table.");
  });

  test("takes along what is optional, which is never asked for", async () => {
    await using at = await starting("en");
    await at.talk().through("where is my order", "2031-04-03, N123");
    expect(paths(at)).toEqual(["/orders/2031-04-03?note=N123"]);
  });
});

describe("a webhook that names actions", () => {
  test("is told what became of them, without a value", async () => {
    using receiver = new Receiver();
    const webhooks = { crm: { url: receiver.url, secretEnv: "S", events: ["action.done", "action.failed"] } };
    await using at = await start({
      flags: { webhooks: JSON.stringify(webhooks) },
      parts: { env: { S: WEBHOOK_SECRET } },
    });
    const talk = at.talk();
    await talk.through("cancel order 48213, ann@example.org", "yes");
    at.orders.answer = () => new Response(null, { status: 404 });
    await talk.say("where is my order");
    await eventually(() => receiver.received.length === 2);
    const told = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: object });
    // What is due at one time is told in any order.
    expect(told.toSorted((a, b) => a.type.localeCompare(b.type))).toMatchObject([
      { type: "action.done", data: { intent: "orders.cancel", endpoint: "order-changes", status: 200 } },
      { type: "action.failed", data: { intent: "orders.status", endpoint: "orders", status: 404 } },
    ]);
    expect(JSON.stringify(told)).not.toMatch(/48213|ann@/);
  });
});

describe("an action whose server was killed", () => {
  test("in the middle of a call is not called again, whoever says yes", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say("cancel order 48213, ann@example.org");
    await at.parley.runSql("UPDATE actions SET state = 'begun'");
    const answer = await talk.say("yes");
    expect(answer.metadata["action"]).toMatchObject({ state: "unsure" });
    expect(answer.response).toStartWith("I don't know whether");
    expect(at.orders.requests).toEqual([]);
  });

  test("goes on at another server, which knows what was given", async () => {
    await using at = await start();
    const talk = await saying(at.talk(), "where is my order 48213");
    await using other = await at.anotherServer();
    expect(await talk.sayTo(other.localUrl, "ann@example.org")).toMatchObject({
      response: "It is being packed.",
    });
  });
});

async function saying(talk: Talk, input: string): Promise<Talk> {
  await talk.say(input);
  return talk;
}

describe("a proof", () => {
  const wrong = (at: Awaited<ReturnType<typeof start>>) => {
    at.orders.answer = () => new Response(null, { status: 404 });
  };

  test("that failed is asked for anew, and what is replaced is tried again", async () => {
    await using at = await start();
    wrong(at);
    const talk = at.talk();
    await talk.say("where is my order 48213, ann@example.org");
    expect((await talk.say("no, 48214")).response).toBe("I find no order with that number and address.");
    expect((await talk.say("where is my parcel")).response).toBe("What is your order number?");
    expect(at.orders.requests).toHaveLength(2);
  });

  test("is tried five times in a conversation; then a person is offered", async () => {
    await using at = await start();
    wrong(at);
    const talk = at.talk();
    for (let number = 10_000; number < 10_005; number += 1) {
      await talk.say(`where is my order ${number}, ann@example.org`);
    }
    const { response, metadata } = await talk.say("where is my order 10005, ann@example.org");
    expect(response).toBe("I can't check that here any more for now.");
    expect(metadata).toMatchObject({ handoff: { state: "offered" } });
    expect(at.orders.requests).toHaveLength(5);
  });

  test("that failed counts where a yes is sent to another server while it is tried", async () => {
    await using at = await start({ endpoint: { timeoutMs: 30_000 } });
    await using other = await at.anotherServer();
    const talk = at.talk();
    const refusal = () => new Response(null, { status: 404 });
    const reached = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const compared = Array.from({ length: 5 }, () => Promise.withResolvers<Response>());
    at.orders.answer = () => {
      const tried = at.orders.requests.length - 1;
      reached[tried]?.resolve();
      return compared[tried]?.promise ?? refusal();
    };
    for (let tried = 0; tried < 5; tried += 1) {
      await talk.say(`cancel order ${10_000 + tried}, ann@example.org`);
      const first = talk.sayTo(at.parley.url, "yes");
      await reached[tried]!.promise;
      expect((await talk.sayTo(other.localUrl, "yes")).metadata).toMatchObject({
        action: { state: "unsure" },
      });
      compared[tried]!.resolve(refusal());
      expect((await first).metadata).toMatchObject({ action: { state: "failed" } });
    }
    const { response } = await talk.through("cancel order 10005, ann@example.org", "yes");
    expect(response).toBe("I can't check that here any more for now.");
    expect(at.orders.requests).toHaveLength(5);
  });

  test("waits where as many as may fail are tried, and is confirmed once more", async () => {
    await using at = await start({ endpoint: { timeoutMs: 30_000, maxConcurrent: 30 } });
    const compared = Promise.withResolvers<void>();
    at.orders.answer = async () => {
      await compared.promise;
      return Response.json({});
    };
    const others = Array.from({ length: 20 }, () => at.talk());
    const talk = at.talk();
    await Promise.all(others.map((other) => other.say("cancel order 48213, ann@example.org")));
    await talk.say("cancel order 48214, bob@example.org");
    const done = others.map((other) => other.say("yes"));
    await eventually(() => at.orders.requests.length === others.length);
    const busy = await talk.say("yes");
    expect(busy).toMatchObject({ response: "That did not work.", metadata: { action: { state: "failed" } } });
    expect(busy.metadata["handoff"]).toBeUndefined();
    expect((await talk.turns()).at(-1)!.receipt.action!.call).toMatchObject({ fault: "proofs-tried" });
    compared.resolve();
    for (const other of done) expect((await other).response).toBe("Order 48213 is cancelled.");
    expect((await talk.say("yes")).response).toBe("Order 48214 is cancelled.");
    expect(at.orders.requests.filter(({ path }) => path.includes("48214"))).toHaveLength(1);
  });

  test("is tried twenty times by a caller, however many conversations they begin", async () => {
    await using at = await start();
    wrong(at);
    for (let number = 10_000; number < 10_025; number += 1) {
      await at.talk().say(`where is my order ${number}, ann@example.org`);
    }
    expect(at.orders.requests).toHaveLength(20);
  });

  test("that is right counts for nothing", async () => {
    await using at = await start();
    const talk = at.talk();
    for (let number = 10_000; number < 10_008; number += 1) {
      expect((await talk.say(`where is my order ${number}, ann@example.org`)).response).toBe(
        "It is being packed.",
      );
    }
  });

  test("is forgotten a quarter of an hour after the last message", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say("where is my order 48213, ann@example.org");
    at.clock.now += 16 * MINUTE_MS;
    expect((await talk.say("where is my order")).response).toBe("What is your order number?");
  });

  test("stays forgotten after a silence, whatever was said since to whom", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say("where is my order 48213, ann@example.org");
    at.clock.now += 20 * MINUTE_MS;
    await talk.say("hello");
    // As a message to a person leaves it.
    await at.parley.runSql("UPDATE turns SET action = NULL WHERE input = 'hello'");
    at.clock.now += MINUTE_MS;
    expect((await talk.say("where is my order")).response).toBe("What is your order number?");
    expect(at.orders.requests).toHaveLength(1);
  });

  test("is forgotten at a goodbye", async () => {
    await using at = await start();
    const talk = at.talk();
    expect(
      (await talk.through("where is my order 48213, ann@example.org", "bye", "where is my order")).response,
    ).toBe("What is your order number?");
  });

  test("is needed, unless the endpoint is public", async () => {
    const intents = ORDER_INTENTS.map((intent) => {
      if (intent.action === undefined) return intent;
      const { proof: _, ...action } = intent.action;
      return { ...intent, action };
    });
    const bot = ordersBot({ intents });
    await using at = await start({ bot });
    const { response } = await at.talk().say("where is my order 48213, ann@example.org");
    expect(response).toBe("I can't reach our order system right now.");
    await using open = await start({ bot, endpoint: { public: true } });
    expect((await open.talk().say("where is my order 48213, ann@example.org")).response).toBe(
      "It is being packed.",
    );
  });
});

describe("another visitor", () => {
  const OTHERS = "48213, ann@example.org";

  test("fills nobody's slot but their own, and hears nothing of what was given", async () => {
    await using at = await start();
    const ann = at.talk();
    await ann.say("where is my order");
    const eve = at.talk();
    await eve.say(OTHERS);
    expect(at.orders.requests).toEqual([]);
    expect((await ann.say("48213")).response).toBe("And the e-mail address it was ordered with?");
    expect((await at.talk().say("where is my order")).response).toBe("What is your order number?");
    expect((await at.talk().say("ann@example.org")).metadata["action"]).toBeUndefined();
    expect(at.orders.requests).toEqual([]);
  });

  test("confirms nothing that they were not asked", async () => {
    await using at = await start();
    const ann = at.talk();
    await ann.say(`cancel order ${OTHERS}`);
    expect((await at.talk().say("yes")).metadata["action"]).toBeUndefined();
    expect(at.orders.requests).toEqual([]);
  });
});

describe("what the profile denies", () => {
  test("fills nothing, gets its refusal, and leaves the question open", async () => {
    await using at = await start();
    const talk = at.talk();
    const denied = await talk.through("where is my order", "48213, and is wayfair cheaper");
    expect(denied.metadata).toMatchObject({ capabilityAllowed: false, enforcementReason: "DENY_LIST" });
    expect(denied.metadata["action"]).toBeUndefined();
    expect((await talk.say("48213")).response).toBe("And the e-mail address it was ordered with?");
    const other = await talk.say("delete my account");
    expect(other.metadata["enforcementReason"]).toBe("DENY_LIST");
    expect((await talk.say("ann@example.org")).response).toBe("It is being packed.");
  });

  test("is looked for in values that were joined", async () => {
    const [status] = ORDER_INTENTS;
    const name = (slot: string) => ({
      name: slot,
      type: "text" as const,
      pattern: "[0-9 ]{8}",
      ask: `${slot}?`,
    });
    const intents = [
      {
        ...status!,
        slots: [name("one"), name("other")],
        action: { ...status!.action!, path: "/orders/{one}?other={other}", proof: ["one", "other"] },
      },
      ...ORDER_INTENTS.slice(1),
    ];
    const bot = ordersBot({ intents, capabilityProfile: { denyPatterns: ["card-number"] } });
    await using at = await start({ bot });
    const talk = at.talk();
    const denied = await talk.through("where is my order", "41111111", "11111111");
    expect(denied.metadata["enforcementReason"]).toBe("DENY_LIST");
    expect(at.orders.requests).toEqual([]);
  });

  test("is not said, whatever the endpoint answers", async () => {
    await using at = await start();
    at.orders.answer = () => Response.json({ state: "note", note: "ask wayfair instead" });
    const talk = at.talk();
    const { response } = await talk.say("where is my order 48213, ann@example.org");
    expect(response).toBe("I can't reach our order system right now.");
    expect((await talk.turns())[0]!.receipt.action!.call).toMatchObject({ fault: "denied" });
  });

  test("is never called in observe mode", async () => {
    const capabilityProfile = { deny: ["orders.*"], mode: "observe" as const };
    await using at = await start({ bot: ordersBot({ capabilityProfile }) });
    const talk = at.talk();
    const { response } = await talk.say("where is my order 48213, ann@example.org");
    expect(at.orders.requests).toEqual([]);
    expect(response).not.toContain("packed");
  });

  test("ends what was open, once the newest version denies it", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say("cancel order 48213, ann@example.org");
    const capabilityProfile = { deny: ["account.*", "orders.cancel"] };
    await at.parley.store.bots.seed([ordersBot({ capabilityProfile })], { prune: false, dryRun: false });
    await eventually(
      async () => (await at.talk().say("cancel my order")).metadata["enforcementReason"] !== undefined,
    );
    await talk.say("yes");
    expect(at.orders.requests).toEqual([]);
  });
});

describe("what was given", () => {
  test("is stored with its turn", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.say("where is my order 48213");
    const [turn] = await at.parley.runSql("SELECT action FROM turns");
    expect((turn as { action: string }).action).toContain("48213");
  });

  test("is never listed as likely wrong or as not understood, in Improve or in the audit", async () => {
    await using at = await start();
    const talk = at.talk();
    await talk.through("where is my order", "123", "48213", "ann@example.org", "no, 48214", "sing a song");
    const owner = await signIn(at.parley, "owner");
    const listed = async () => JSON.stringify(await owner.json("GET", "/improve"));
    await eventually(async () => (await listed()).includes("sing a song"));
    const stored = (await at.parley.store.bots.find("shop"))!;
    const scope = { bot: stored.key, since: 0, document: stored.document };
    const audit = await auditDecisions(at.parley.store, scope, { ofGroup: 20, inAll: 100 });
    const turns = await at.parley.store.audit.listAnswered(scope, 100);
    expect(turns.length).toBeGreaterThan(3);
    for (const text of [await listed(), JSON.stringify(audit)]) expect(text).not.toMatch(/123|4821|ann@/);
  });

  test("is in memory alone where no text is stored; the action's id is on disk", async () => {
    await using at = await start({ flags: { storeMessages: "none" } });
    const talk = at.talk();
    const asked = await talk.through("cancel order 48213", "ann@example.org");
    expect(asked.response).toBe("Cancel order 48213?");
    const rows = JSON.stringify(await at.parley.runSql("SELECT * FROM turns"));
    expect(rows).not.toMatch(/48213|ann@/);
    const [action] = await at.parley.runSql("SELECT id, state FROM actions");
    expect(action).toMatchObject({ state: "asked" });
    expect((await talk.say("yes")).response).toBe("Order 48213 is cancelled.");
  });
});
