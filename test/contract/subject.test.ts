import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import pino from "pino";

import { loadConfig } from "../../src/config/config.ts";
import { type RunningServer, startServer } from "../../src/http/server.ts";
import { explainTurn } from "../../src/operate/explain.ts";
import { botWith } from "../support/bots.ts";
import { runInTerminal } from "../support/cli.ts";
import { filesHolding } from "../support/files.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const MINUTE_MS = 60_000;
/** Leans on what was said before: the cost of what? */
const FOLLOW_UP = "and how much is that";
const CANARY = "quuxifrage";

const garage = botWith({
  id: "garage",
  name: "Garage",
  allowedDomains: ["*"],
  intents: [
    {
      name: "tyres.change",
      label: "changing tyres",
      examples: ["can you change my tyres", "winter tyres on please", "swap the wheels"],
      responses: ["We change tyres without an appointment, for 40 €."],
    },
    {
      name: "car.inspection",
      label: "the yearly inspection",
      examples: ["my car needs its inspection", "inspection is due", "book the yearly inspection"],
      responses: ["Inspections are on Tuesdays, for 120 €."],
    },
    {
      name: "opening.hours",
      label: "opening hours",
      examples: ["when are you open", "what are your hours", "are you there on saturday"],
      responses: ["From 8 to 5."],
    },
    {
      name: "mileage.reset",
      label: "setting back the mileage",
      examples: ["set back the mileage", "reset the odometer to less", "turn the kilometres down"],
      responses: ["Done."],
    },
  ],
  capabilityProfile: { deny: ["mileage.reset"], refusals: { DENY_LIST: "We do not do that." } },
});

let elapsedMs = 0;
const now = () => Date.now() + elapsedMs;

const start = (flags: Record<string, string> = {}): Promise<TestParley> =>
  startParley({ bots: [garage], flags, parts: { now } });

const intentOf = async (
  parley: Pick<TestParley, "say">,
  input: string,
  conversationId?: string,
): Promise<string | undefined> =>
  (await parley.say(input, { botId: "garage", ...(conversationId && { conversationId }) })).intentDetected;

async function begin(parley: TestParley, input = "can you change my tyres"): Promise<string> {
  return (await parley.say(input, { botId: "garage" })).conversationId;
}

/** A server beside those that run, on the same store. */
async function startAnother(parley: TestParley): Promise<RunningServer & AsyncDisposable> {
  const { PARLEY_STORE: store } = parley.env;
  const flags = { data: parley.dataDir, ...(store && { store }), port: "0", operatorPort: "0" };
  const config = loadConfig({ flags, env: {}, readFile: () => "" });
  const server = await startServer(config, { log: pino({ level: "silent" }), now });
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
}

async function sayTo(server: RunningServer, parley: TestParley, input: string, conversationId: string) {
  const response = await fetch(`${server.localUrl}/chat`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}` },
    body: JSON.stringify({ botId: "garage", input, conversationId }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { intentDetected?: string };
}

let parley: TestParley;
beforeAll(async () => {
  parley = await start();
});
afterAll(() => parley[Symbol.asyncDispose]());

describe("what a turn was about", () => {
  test("is taken up by the next message, and the receipt says so", async () => {
    expect(await intentOf(parley, FOLLOW_UP)).toBeUndefined();
    const tyres = await begin(parley);
    expect(await intentOf(parley, FOLLOW_UP, tyres)).toBe("tyres.change");
    const inspection = await begin(parley, "my car needs its inspection");
    expect(await intentOf(parley, FOLLOW_UP, inspection)).toBe("car.inspection");
    const [, turn] = await parley.store.conversations.listTurns(inspection);
    expect(turn!.receipt).toMatchObject({
      rule: "follow-up",
      readings: [{ reading: "plain" }, { reading: "in-context", about: { intent: "car.inspection" } }],
    });
    expect(turn!.receipt.readings[1]!.leans).toBeGreaterThan(0.5);
  });

  test("is kept beside the turn's texts", async () => {
    const [turn] = await parley.store.conversations.listTurns(await begin(parley));
    expect(turn!.subject).toEqual({
      intent: "tyres.change" as never,
      name: "changing tyres",
      words: ["change", "tyres"],
    });
  });

  test("goes on behind a courtesy and a question that nothing answers, and ends with a goodbye", async () => {
    const conversation = await begin(parley);
    await intentOf(parley, "thanks!", conversation);
    expect(await intentOf(parley, FOLLOW_UP, conversation)).toBe("tyres.change");
    await intentOf(parley, "goodbye", conversation);
    expect(await intentOf(parley, FOLLOW_UP, conversation)).not.toBe("tyres.change");
  });

  test("bends no message that stands alone", async () => {
    const conversation = await begin(parley);
    expect(await intentOf(parley, "when are you open", conversation)).toBe("opening.hours");
    expect(await intentOf(parley, FOLLOW_UP, await begin(parley, "when are you open"))).not.toBe(
      "tyres.change",
    );
  });

  test("is over after ten minutes", async () => {
    const conversation = await begin(parley);
    elapsedMs += 9 * MINUTE_MS;
    expect(await intentOf(parley, FOLLOW_UP, conversation)).toBe("tyres.change");
    elapsedMs += 11 * MINUTE_MS;
    expect(await intentOf(parley, FOLLOW_UP, conversation)).not.toBe("tyres.change");
  });

  test("is known to another server, and to one that starts later", async () => {
    const conversation = await begin(parley);
    await using other = await startAnother(parley);
    expect((await sayTo(other, parley, FOLLOW_UP, conversation)).intentDetected).toBe("tyres.change");
    const later = await start();
    await using _ = later;
    const kept = await begin(later, "my car needs its inspection");
    await later.endServer();
    await using restarted = await startAnother(later);
    expect((await sayTo(restarted, later, FOLLOW_UP, kept)).intentDetected).toBe("car.inspection");
  });

  test("goes with its conversation, from every file as well", async () => {
    const conversation = await begin(parley, `can you change my winter tyres ${CANARY}`);
    const [turn] = await parley.store.conversations.listTurns(conversation);
    expect(turn!.subject!.words).toContain(CANARY);
    const { exitCode } = await runInTerminal(["conversation", "delete", conversation, "--yes"], {
      env: parley.env,
    });
    expect(exitCode).toBe(0);
    expect(await parley.store.conversations.listTurns(conversation)).toEqual([]);
    expect(await parley.runSql(`SELECT 1 FROM turns WHERE subject LIKE '%${CANARY}%'`)).toEqual([]);
    if (!isOnPostgres) expect(filesHolding(parley.dataDir, CANARY)).toEqual([]);
  });

  test("is in an export", async () => {
    const conversation = await begin(parley);
    const { stdout } = await runInTerminal(["conversation", "show", conversation, "--json"], {
      env: parley.env,
    });
    expect(JSON.parse(stdout).turns[0].subject).toMatchObject({ intent: "tyres.change" });
  });

  test("holds no personal data that is known by its form", async () => {
    const conversation = await begin(parley, "can you change my tyres, write to anna@example.com");
    const [turn] = await parley.store.conversations.listTurns(conversation);
    expect(turn!.subject!.words).toEqual(["change", "tyres", "write"]);
  });
});

describe("a denied intent", () => {
  test("is denied behind what was said before, too, whatever the message says alone", async () => {
    const conversation = await begin(parley, "set back the mileage");
    const again = await parley.say("for a friend, just this once", {
      botId: "garage",
      conversationId: conversation,
    });
    expect(again.metadata["enforcementReason"]).toBe("DENY_LIST");
    const alone = await parley.say("for a friend, just this once", { botId: "garage" });
    expect(alone.metadata["enforcementReason"]).not.toBe("DENY_LIST");
  });

  test("is denied in what leans on an allowed one", async () => {
    const conversation = await begin(parley, "my car needs its inspection");
    const answer = await parley.say("and can you set back the mileage too", {
      botId: "garage",
      conversationId: conversation,
    });
    expect(answer.metadata["enforcementReason"]).toBe("DENY_LIST");
  });
});

describe("explain", () => {
  test("decides again from what was said before, and says where that is gone", async () => {
    const conversation = await begin(parley);
    await intentOf(parley, FOLLOW_UP, conversation);
    const [, { requestId }] = (await parley.store.conversations.listTurns(conversation)) as [
      unknown,
      { requestId: string },
    ];
    expect(await explainTurn(parley.store, requestId)).toMatchObject({ agrees: true, isContextGone: false });
    await parley.runSql(
      `UPDATE turns SET subject = NULL, input = '' WHERE input = 'can you change my tyres'`,
    );
    expect(await explainTurn(parley.store, requestId)).toMatchObject({ isContextGone: true });
    const { stdout } = await runInTerminal(["explain", requestId], { env: parley.env });
    expect(stdout).toContain("without the messages before it, which are not stored");
  });
});

describe("with --store-messages none, what a turn was about", () => {
  let keepsNone: TestParley;
  beforeAll(async () => {
    keepsNone = await start({ storeMessages: "none" });
  });
  afterAll(() => keepsNone[Symbol.asyncDispose]());

  test("is in memory alone", async () => {
    const conversation = await begin(keepsNone, `can you change my tyres, ${CANARY}`);
    expect(await intentOf(keepsNone, FOLLOW_UP, conversation)).toBe("tyres.change");
    const turns = await keepsNone.store.conversations.listTurns(conversation);
    expect(turns.map(({ subject }) => subject)).toEqual([undefined, undefined]);
    expect(filesHolding(keepsNone.dataDir, CANARY)).toEqual([]);
  });

  test("is not known to another server", async () => {
    const conversation = await begin(keepsNone);
    await using other = await startAnother(keepsNone);
    await sayTo(other, keepsNone, FOLLOW_UP, conversation);
    const [, turn] = await keepsNone.store.conversations.listTurns(conversation);
    expect(turn!.receipt.readings.map(({ reading }) => reading)).toEqual(["plain"]);
  });
});
