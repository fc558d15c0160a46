import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { newEmbedToken } from "../../src/access/secrets.ts";
import { secureRandomBytes } from "../../src/domain/ids.ts";
import { shopBot } from "../support/bots.ts";
import { eventually } from "../support/eventually.ts";
import { type TestModelServer, says, startModelServer } from "../support/model-server.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { connectRaw } from "../support/raw-http.ts";

const QUESTION = "where is my order";
const MODELLED = { id: "modelled", responder: { kind: "model" as const, models: ["slow"] } };
const HALF_OPEN = 500;
const FLOODING = 16;
/** What a flood may have answered in the time of one message, which is stored: some rounds of all its callers. */
const MAX_BEFORE = 1000 * FLOODING;

let model: TestModelServer;
beforeAll(async () => void (model = await startModelServer()));
afterAll(() => model[Symbol.asyncDispose]());

/** A server whose model answers when it is told to. */
async function startWithHeldModel(maxTurnsInFlight: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  model.replyWith(async (response, request) => {
    await released;
    await says("It left yesterday.")(response, request);
  });
  const parley = await startParley({
    bots: [
      shopBot(MODELLED),
      shopBot({ id: "full", monthlyMessageCap: 0 }),
      shopBot({ id: "elsewhere", allowedDomains: ["a.example"] }),
    ],
    flags: {
      maxTurnsInFlight: String(maxTurnsInFlight),
      models: JSON.stringify({ slow: { baseUrl: model.baseUrl, model: "tiny" } }),
    },
  });
  return { parley, release };
}

async function untilAsked(requests: number): Promise<void> {
  await eventually(() => model.requests.length >= requests);
}

const ask = (parley: TestParley, botId: string, headers = {}) =>
  parley.chat({ botId, input: QUESTION }, { headers });

describe("more messages than may be answered at once", () => {
  test("are 503 OVERLOADED at once, with Retry-After, and not counted", async () => {
    const { parley: opened, release } = await startWithHeldModel(2);
    await using parley = opened;
    const waiting = [ask(parley, "modelled"), ask(parley, "modelled")];
    await untilAsked(2);
    // The two before have no answer yet: whoever waited for one of them would wait for ever.
    const refused = await ask(parley, "modelled");
    const streamed = await ask(parley, "modelled", { Accept: "text/event-stream" });
    for (const response of [refused, streamed]) {
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: "OVERLOADED", title: "Service Unavailable" });
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask(parley, "modelled")).status).toBe(200);
    expect(await parley.store.usage.read((await parley.store.bots.find("modelled"))!.key, Date.now())).toBe(
      3,
    );
    const metrics = await (await fetch(`${parley.server.operatorUrl}/metrics`)).text();
    expect(metrics).toContain("parley_overloaded_total 2");
    expect(metrics).toContain("parley_turns_in_flight 0");
  });

  test("meet the check of the domain before, and the cap after", async () => {
    const { parley: opened, release } = await startWithHeldModel(1);
    await using parley = opened;
    const waiting = ask(parley, "modelled");
    await untilAsked(1);
    expect((await ask(parley, "elsewhere")).status).toBe(403);
    expect((await ask(parley, "full")).status).toBe(503);
    release();
    expect((await waiting).status).toBe(200);
    expect((await ask(parley, "full")).status).toBe(429);
  });

  test("leave health and configuration alone", async () => {
    const { parley: opened, release } = await startWithHeldModel(1);
    await using parley = opened;
    const waiting = ask(parley, "modelled");
    await untilAsked(1);
    for (const path of ["/healthz", "/readyz", "/embed-config?botId=modelled"]) {
      expect((await fetch(parley.url + path)).status).toBe(200);
    }
    release();
    await waiting;
  });
});

describe("a message is answered as ever", () => {
  test.each([
    ["nothing", "waits", () => ""],
    ["half a head", "waits", () => "POST /chat HTTP/1.1\r\nHost: loc"],
    [
      "half a body without a token",
      "is refused",
      () => "POST /chat HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{",
    ],
    [
      "half a body with a token",
      "waits",
      (token: string) =>
        `POST /chat HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 99\r\n\r\n{`,
    ],
  ])("while 500 connections have sent %s, which %s", async (_what, outcome, first) => {
    await using parley = await startParley();
    const open = await Promise.all(
      Array.from({ length: HALF_OPEN }, () => connectRaw(parley.url, first(parley.token))),
    );
    await parley.say(QUESTION);
    // It was not answered because the others had been given up.
    if (outcome === "waits") expect(open.some(({ isClosed }) => !isClosed)).toBe(true);
    for (const connection of open) connection[Symbol.dispose]();
  });

  test("while a flood has no valid token", async () => {
    await using parley = await startParley();
    const isOver = { value: false };
    let refused = 0;
    const flood = Array.from({ length: FLOODING }, async () => {
      while (!isOver.value) {
        const token = newEmbedToken(secureRandomBytes);
        await (await parley.chat({ botId: "shop", input: QUESTION }, { token })).bytes();
        refused += 1;
      }
    });
    let most = 0;
    for (let i = 0; i < 20; i += 1) {
      const before = refused;
      await parley.say(QUESTION);
      most = Math.max(most, refused - before);
    }
    isOver.value = true;
    await Promise.all(flood);
    // It takes its turn with those that came before it, and is not put off for those that come after.
    expect(most).toBeLessThan(MAX_BEFORE);
  });
});
