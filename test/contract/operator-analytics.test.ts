import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Elysia } from "elysia";
import pino from "pino";

import { loadConfig } from "../../src/config/config.ts";
import type { EnforcementReason } from "../../src/domain/chat.ts";
import type { DecisionRule } from "../../src/domain/decision.ts";
import type { ConversationId, IntentName, RequestId } from "../../src/domain/ids.ts";
import { type OperatorPermission, PERMISSIONS } from "../../src/domain/operator/access.ts";
import type { ConversationDetails, ConversationPage } from "../../src/domain/operator/conversations.ts";
import type { ImprovePage } from "../../src/domain/operator/improve.ts";
import type { Overview } from "../../src/domain/operator/overview.ts";
import { conversationRoutes } from "../../src/http/api/conversations.ts";
import type { Caller } from "../../src/http/api/frame.ts";
import { improveRoutes } from "../../src/http/api/improve.ts";
import { mountApi } from "../../src/http/api/mount.ts";
import { overviewRoutes } from "../../src/http/api/overview.ts";
import { problemResponse } from "../../src/http/errors.ts";
import { eraseConversation } from "../../src/operate/console/browse-conversations.ts";
import { Improvement } from "../../src/operate/console/improvement.ts";
import { type Console, openConsole } from "../../src/operate/console/open-console.ts";
import { examineServer } from "../../src/operate/doctor/examine-server.ts";
import { openRuntime, type Runtime } from "../../src/runtime.ts";
import { shopBot } from "../support/bots.ts";
import { askPerson } from "../support/people.ts";
import { openTestStore, type TestStore } from "../support/store-under-test.ts";
import { suggestionsOf, turnWith } from "../support/turns.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 20, 12, 30);

let folder: string;
let opened: TestStore;
let runtime: Runtime;
let operatorConsole: Console;
let ask: (method: string, path: string, body?: unknown) => Promise<Response>;
let permissions: readonly OperatorPermission[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  opened = await openTestStore(folder, () => NOW);
  const bots = [shopBot({ monthlyMessageCap: 100 }), shopBot({ id: "other" })];
  await opened.store.bots.seed(bots, { prune: false, dryRun: false });
  const config = loadConfig({ flags: { ...opened.flags }, env: {}, readFile: () => "" });
  runtime = await openRuntime(config, { now: () => NOW, log: pino({ level: "silent" }) });
  operatorConsole = openConsole(runtime);
  permissions = PERMISSIONS;
  ask = serve();
});
afterEach(async () => {
  operatorConsole[Symbol.dispose]();
  await runtime[Symbol.asyncDispose]();
  await opened.store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(folder, { recursive: true });
});

/** The routes as the operator listener mounts them, asked by somebody who holds a key. */
function serve(): typeof ask {
  const parts = { ...runtime, ...operatorConsole };
  const routes = [...overviewRoutes(parts), ...conversationRoutes(parts), ...improveRoutes(parts)];
  const requestId = "rq_test" as RequestId;
  const caller = (): Caller => ({
    kind: "key",
    id: "k1",
    label: "nightly",
    createdBy: "ann",
    permissions: new Set(permissions),
  });
  const app = new Elysia()
    .onError(({ error }) => problemResponse(error, requestId))
    .use(
      mountApi(routes, {
        gate: {
          assertOpen: async () => {},
          identify: async () => caller(),
          invitation: async () => "Come in.",
        },
        log: runtime.log,
        factsOf: () => ({ requestId, clientAddress: "127.0.0.1", keepOpen: () => {} }),
      }),
    );
  return (method, path, body) =>
    app.handle(
      new Request(`http://localhost/api/v1${path}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { "Content-Type": "application/json" },
        }),
      }),
    );
}

async function get<Answer>(path: string): Promise<Answer> {
  const response = await ask("GET", path);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

const statusOf = async (method: string, path: string, body?: unknown) =>
  (await ask(method, path, body)).status;

interface Said {
  in: string;
  at?: number;
  input?: string;
  intent?: string;
  reason?: EnforcementReason;
  offers?: string[];
  rule?: DecisionRule;
  bot?: string;
}

let requests = 0;

/** Stores turns as a server would have. */
async function say(...turns: Said[]): Promise<void> {
  for (const { in: conversation, at = NOW, input, intent, reason, offers, rule, bot = "shop" } of turns) {
    const plain = turnWith({ requestId: `rq_${String(requests++).padStart(6, "0")}` as RequestId, at });
    const suggestions = offers && suggestionsOf(...offers);
    await runtime.store.recordTurn({
      bot: (await runtime.store.bots.find(bot))!.key,
      conversationId: conversation as ConversationId,
      turn: {
        ...plain,
        ...(input !== undefined && { input }),
        ...(intent !== undefined && { intent: intent as IntentName }),
        metadata: {
          ...plain.metadata,
          ...(reason && { enforcementReason: reason, capabilityAllowed: false }),
          ...(suggestions && { suggestions }),
        },
        receipt: { ...plain.receipt, ...(suggestions && { suggestions }), ...(rule && { rule }) },
      },
    });
  }
}

/** Rates the last answer of a conversation. */
async function rate(conversation: string, rating: "up" | "down", reason?: string, at = NOW): Promise<void> {
  const { requestId } = (await runtime.store.conversations.listTurns(conversation)).at(-1)!;
  await runtime.store.feedback.save({ requestId, rating, at, ...(reason !== undefined && { reason }) });
}

describe("GET /overview", () => {
  test("sums what has just been said, beside the period before, by buckets that may be empty", async () => {
    await say(
      { in: "a", intent: "orders.status" },
      { in: "a", intent: "orders.status" },
      { in: "b", at: NOW - 2 * HOUR, reason: "no_intent_match" },
      { in: "c", at: NOW - 3 * DAY, reason: "DENY_LIST", intent: "account.delete", bot: "other" },
      { in: "d", at: NOW - 9 * DAY, intent: "orders.status" },
    );
    const week = await get<Overview>("/overview?period=7d&compare=1");
    expect(week.sums).toEqual({
      answered: 2,
      asked: 0,
      unmatched: 1,
      refused: 1,
      failed: 0,
      messages: 4,
      conversations: 3,
      ratedUp: 0,
      ratedDown: 0,
    });
    expect(week.before).toMatchObject({ messages: 1, conversations: 1, answered: 1 });
    expect(week.buckets).toHaveLength(7);
    expect(week.buckets.at(-1)).toMatchObject({ answered: 2, unmatched: 1, refused: 0 });
    expect(week.buckets[0]).toMatchObject({ answered: 0, unmatched: 0, refused: 0 });
    expect(week.bucketMs).toBe(DAY);
    expect(week.countedTo).toBe(NOW);
    expect(week.topIntents).toEqual([
      { bot: "shop", intent: "orders.status", turns: 2, before: 1 },
      { bot: "other", intent: "account.delete", turns: 1, before: 0 },
    ]);
    expect(week.waiting).toBe(2);
    expect(week.latency).toBeUndefined();
    const day = await get<Overview>("/overview?period=24h&bot=shop");
    expect(day.buckets).toHaveLength(24);
    expect(day.buckets.at(-3)).toMatchObject({ at: NOW - 2 * HOUR - HOUR / 2, unmatched: 1 });
    expect(day.sums.messages).toBe(3);
    expect(day).not.toHaveProperty("before");
  });

  test("lists the bots' months, those nearest to their cap first, and how long answers took", async () => {
    await say({ in: "a", bot: "other" }, { in: "b", bot: "other" }, { in: "c" });
    runtime.metrics.requests.count("/chat", 200, 0.004);
    const { usage, latency } = await get<Overview>("/overview");
    expect(usage).toEqual([
      { bot: "shop", messages: 1, cap: 100, modelTokens: 0 },
      { bot: "other", messages: 2, modelTokens: 0 },
    ]);
    expect(latency!.p50).toBeGreaterThan(2.5);
    expect(latency!.p99).toBeLessThanOrEqual(5);
  });

  test("sums ratings by bot and period, of answers as they are rated now", async () => {
    await say({ in: "a" }, { in: "b", bot: "other" }, { in: "c", at: NOW - 9 * DAY });
    await rate("a", "down", "too vague");
    await rate("b", "down");
    await rate("c", "up");
    const week = await get<Overview>("/overview?period=7d&compare=1");
    expect(week.sums).toMatchObject({ ratedUp: 0, ratedDown: 2 });
    expect(week.before).toMatchObject({ ratedUp: 1, ratedDown: 0 });
    await rate("a", "up");
    expect((await get<Overview>("/overview?period=7d")).sums).toMatchObject({ ratedUp: 1, ratedDown: 1 });
    expect((await get<Overview>("/overview?period=30d&bot=shop")).sums).toMatchObject({
      ratedUp: 2,
      ratedDown: 0,
    });
  });

  test("counts the messages of the groups that wait, and no others", async () => {
    await say(
      { in: "a", input: "sing a song", reason: "no_intent_match" },
      { in: "b", input: "sing a song", reason: "no_intent_match" },
      { in: "c", input: "where is it", intent: "orders.status" },
    );
    await rate("c", "down");
    expect(await get<Overview>("/overview")).toMatchObject({ waiting: 2, waitingMessages: 3 });
    await ask("POST", "/improve/set-aside", { bot: "shop", as: "ignore", texts: ["sing a song"] });
    expect(await get<Overview>("/overview")).toMatchObject({ waiting: 1, waitingMessages: 1 });
  });

  test("refuses a bot that is none, and a period that is none", async () => {
    expect(await statusOf("GET", "/overview?bot=nobody")).toBe(404);
    expect(await statusOf("GET", "/overview?period=1y")).toBe(400);
  });
});

describe("GET /conversations", () => {
  test("finds what has just been said, by words, bot, decision, intent and time", async () => {
    await say(
      { in: "a", at: NOW - DAY, input: "Where is my order?", intent: "orders.status" },
      { in: "b", input: "sing a song", reason: "no_intent_match", bot: "other" },
    );
    const ids = async (query: string) =>
      (await get<ConversationPage>(`/conversations?${query}`)).items.map(({ id }) => id);
    expect(await ids("")).toEqual(["b", "a"]);
    expect(await ids("q=ORDER")).toEqual(["a"]);
    expect(await ids("q=son%20si")).toEqual(["b"]);
    expect(await ids("bot=other")).toEqual(["b"]);
    expect(await ids("decision=unmatched")).toEqual(["b"]);
    expect(await ids("intent=orders.status")).toEqual(["a"]);
    expect(await ids(`from=${NOW}`)).toEqual(["b"]);
    expect(await ids(`to=${NOW}`)).toEqual(["a"]);
    expect(await statusOf("GET", "/conversations?bot=nobody")).toBe(404);
    expect(await statusOf("GET", "/conversations?decision=perhaps")).toBe(400);
  });

  test("goes on by a cursor, and tells what is newer", async () => {
    await say(...Array.from({ length: 5 }, (_, i) => ({ in: `c${i}`, at: NOW - 10 + i })));
    const first = await get<ConversationPage>("/conversations?limit=3");
    expect(first.items.map(({ id }) => id)).toEqual(["c4", "c3", "c2"]);
    const second = await get<ConversationPage>(`/conversations?limit=3&cursor=${first.next}`);
    expect(second.items.map(({ id }) => id)).toEqual(["c1", "c0"]);
    expect(second.next).toBeNull();
    expect((await get<ConversationPage>(`/conversations?newer=${first.newest}`)).items).toEqual([]);
    await say({ in: "c1" });
    const newer = await get<ConversationPage>(`/conversations?newer=${first.newest}`);
    expect(newer.items.map(({ id, turns }) => [id, turns])).toEqual([["c1", 2]]);
    for (const cursor of ["nonsense", btoa('{"place":"x"}')]) {
      expect(await statusOf("GET", `/conversations?cursor=${cursor}`)).toBe(400);
    }
  });

  test("reads a whole conversation, and exports those that a filter lets through", async () => {
    await say(
      { in: "a", input: "first", intent: "orders.status" },
      { in: "a", input: "second", reason: "no_intent_match", offers: ["orders.status"] },
      { in: "b", input: "third" },
    );
    const read = await get<ConversationDetails>("/conversations/a");
    expect(read).toMatchObject({ id: "a", bot: "shop" });
    expect(read.turns.map(({ input, outcome }) => [input, outcome])).toEqual([
      ["first", "answered"],
      ["second", "asked"],
    ]);
    expect(await statusOf("GET", "/conversations/nothing")).toBe(404);
    const response = await ask("GET", "/conversations/export?decision=asked");
    expect(response.headers.get("content-type")).toContain("application/x-ndjson");
    const lines = (await response.text()).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([read]);
  });

  test("reads and erases one that is nothing but a hand-off, and what was said with a person", async () => {
    const conversationId = "asked" as ConversationId;
    const id = await askPerson(runtime.store, {
      conversationId,
      at: NOW,
      fields: { name: "Ada" },
      said: ["hello?", "Hello Ada"],
    });
    const read = await get<ConversationDetails>("/conversations/asked");
    expect(read).toMatchObject({
      id: "asked",
      bot: "shop",
      startedAt: NOW,
      turns: [{ input: "hello?", metadata: { handoff: { state: "live" } } }],
      handoffs: [{ id, bot: "shop", fields: { name: "Ada" } }],
    });
    expect(read.people.map(({ kind, text, name }) => [kind, text, name])).toEqual([
      ["state", "live", "Ann"],
      ["visitor", "hello?", undefined],
      ["operator", "Hello Ada", "Ann"],
      ["state", "open", undefined],
    ]);
    await askPerson(runtime.store, { conversationId: "form" as ConversationId, at: NOW });
    expect(await get<ConversationDetails>("/conversations/form")).toMatchObject({ turns: [], people: [] });
    expect(await statusOf("DELETE", "/conversations/form")).toBe(204);
    expect(await statusOf("GET", "/conversations/form")).toBe(404);
  });

  test("has ratings with their reasons, is filtered by them, and loses them when it is erased", async () => {
    await say(
      { in: "a", at: NOW - 2, input: "where is my order" },
      { in: "a", at: NOW - 1, input: "thanks" },
      { in: "b", input: "hello" },
    );
    await rate("a", "up");
    await rate("b", "down", "too vague");
    const page = await get<ConversationPage>("/conversations?rating=down");
    expect(page.items.map(({ id, unhelpful }) => [id, unhelpful])).toEqual([["b", 1]]);
    expect((await get<ConversationPage>("/conversations?rating=up")).items).toMatchObject([
      { id: "a", unhelpful: 0, latest: { input: "thanks" } },
    ]);
    expect(await statusOf("GET", "/conversations?rating=sideways")).toBe(400);
    const { turns } = await get<ConversationDetails>("/conversations/a");
    expect(turns.map(({ feedback }) => feedback)).toEqual([undefined, { rating: "up", at: NOW }]);
    const exported = await (await ask("GET", "/conversations/export?rating=down")).text();
    expect((JSON.parse(exported) as ConversationDetails).turns).toMatchObject([
      { feedback: { rating: "down", reason: "too vague", at: NOW } },
    ]);
    expect(await statusOf("DELETE", "/conversations/b")).toBe(204);
    expect(await runtime.store.feedback.listOf("b")).toEqual([]);
    expect((await get<ConversationPage>("/conversations?rating=down")).items).toEqual([]);
    expect((await get<ImprovePage>("/improve")).groups).toEqual([]);
  });

  test("is exported and erased by those alone who may", async () => {
    await say({ in: "a", input: "farewell" }, { in: "b" });
    permissions = ["read"];
    expect(await statusOf("GET", "/conversations/export")).toBe(403);
    expect(await statusOf("DELETE", "/conversations/a")).toBe(403);
    // As the route does for somebody who may.
    await operatorConsole.catchUp();
    await eraseConversation(runtime.store, "a");
    await expect(eraseConversation(runtime.store, "a")).rejects.toMatchObject({ errorCode: "NOT_FOUND" });
    expect((await get<ConversationPage>("/conversations?q=farewell")).items).toEqual([]);
    expect((await get<Overview>("/overview")).sums.messages).toBe(2);
  });
});

describe("where counting is behind", () => {
  /** Nobody counts, as where the server that counts hangs. */
  const behind = () => {
    operatorConsole = { ...operatorConsole, catchUp: async () => {} };
    runtime.counting[Symbol.dispose]();
    ask = serve();
  };

  test("the overview and the list say so, and the list and the export have what is not counted", async () => {
    behind();
    const ids = Array.from({ length: 720 }, (_, i) => `c${i}`);
    await Promise.all(ids.map((id) => say({ in: id, at: NOW - HOUR, intent: "orders.status" })));
    expect(await get<Overview>("/overview")).toMatchObject({
      sums: { messages: 0 },
      uncounted: 720,
      countedTo: NOW - HOUR,
    });
    expect(await get<ConversationPage>("/conversations")).toMatchObject({ indexed: 0 });
    const exported = (await (await ask("GET", "/conversations/export")).text()).trim().split("\n");
    expect(exported.map((line) => (JSON.parse(line) as ConversationDetails).id).toSorted()).toEqual(
      ids.toSorted(),
    );
  });

  test("nothing is said of messages of the last seconds, which are counted as soon as they can be", async () => {
    behind();
    await say({ in: "a", at: NOW - 1000 });
    expect(await get<Overview>("/overview")).not.toHaveProperty("uncounted");
    expect(await get<ConversationPage>("/conversations")).not.toHaveProperty("indexed");
  });

  test("the server finds so", async () => {
    behind();
    const { store, now } = runtime;
    const config = loadConfig({ flags: { ...opened.flags }, env: {}, readFile: () => "" });
    const found = async () =>
      (await examineServer({ store, config, now: now() })).find(({ check }) => check === "counting");
    expect(await found()).toMatchObject({ severity: "fine" });
    await say({ in: "a", at: NOW - HOUR }, { in: "a", at: NOW - HOUR });
    expect(await found()).toMatchObject({
      severity: "hint",
      message: expect.stringContaining("not counted yet: 2, the first 60 minutes old"),
    });
  });

  test("a metric tells of how many messages", async () => {
    behind();
    await say({ in: "a" }, { in: "b" });
    expect(await runtime.metrics.expose()).toContain("parley_turns_uncounted 2\n");
  });
});

describe("GET /improve", () => {
  const asked = (text: string, more: Partial<Said> = {}): Said => ({
    in: `c${requests}`,
    input: text,
    reason: "no_intent_match",
    ...more,
  });

  test("groups what was not answered, the most frequent first, with the intents that are near", async () => {
    await say(
      asked("can I get an invoice for my order", { at: NOW - DAY }),
      asked("Can I get an invoice for my order?"),
      asked("I need an invoice for my order"),
      asked("where are my parcels then", { offers: ["orders.status"] }),
      asked("delete me now", { reason: "DENY_LIST", intent: "account.delete" }),
      asked("", {}),
      { in: "answered", input: "an invoice for my order" },
    );
    const page = await get<ImprovePage>("/improve");
    expect(page).toMatchObject({ looked: 6, turns: 6, notKept: 1, setAside: 0 });
    const [first] = page.groups;
    expect(first).toMatchObject({ bot: "shop", kind: "unmatched", turns: 3, distinct: 2, reason: null });
    expect(first!.firstAt).toBe(NOW - DAY);
    expect(first!.latestAt).toBe(NOW);
    expect(first!.messages).toContainEqual(
      expect.objectContaining({ text: "Can I get an invoice for my order?", times: 2, latestAt: NOW }),
    );
    const refused = page.groups.find(({ kind }) => kind === "refused")!;
    expect(refused).toMatchObject({ intent: "account.delete", reason: "DENY_LIST", turns: 1 });
    const unclear = page.groups.find(({ kind }) => kind === "asked")!;
    expect(unclear.nearest[0]?.intent).toBe("orders.status");
    expect(page.groups.flatMap(({ nearest }) => nearest).map(({ intent }) => intent)).not.toContain(
      "account.delete",
    );
    expect((await get<ImprovePage>("/improve?outcome=refused")).groups).toHaveLength(1);
    expect((await get<ImprovePage>("/improve?bot=other")).groups).toEqual([]);
    expect(await statusOf("GET", "/improve?bot=nobody")).toBe(404);
  });

  test("lists a no to a clarifying question nowhere: the message before it is listed", async () => {
    await say(
      asked("can I have my wheel trued", { in: "c", offers: ["orders.status"] }),
      asked("none of these", { in: "c", rule: "no-choice" }),
    );
    const page = await get<ImprovePage>("/improve");
    expect(page).toMatchObject({ looked: 1, turns: 1, groups: [{ kind: "asked", turns: 1 }] });
    const bot = (await runtime.store.bots.find("shop"))!.key;
    const scope = { bot, since: 0 };
    const { audit } = runtime.store;
    expect(await audit.countUnanswered("unmatched", scope)).toBe(1);
    expect((await audit.listUnanswered("unmatched", scope, 9)).map(({ input }) => input)).toEqual([
      "can I have my wheel trued",
    ]);
  });

  test("groups answers and refusals that are likely wrong, and says why", async () => {
    await say(
      { in: "a", at: NOW - 4, input: "where is my order", intent: "orders.status" },
      { in: "a", at: NOW - 3, input: "and the parcels of my mother", intent: "orders.status" },
      { in: "a", at: NOW - 2, input: "no, not those", intent: "social.repair" },
      { in: "b", at: NOW - 1, input: "submarine tours", intent: "orders.status" },
      { in: "c", input: "track my order", intent: "orders.status" },
    );
    await rate("c", "down");
    const { groups } = await get<ImprovePage>("/improve?outcome=wrong");
    expect(groups.map(({ kind, intent, reason }) => [kind, intent, reason])).toEqual([
      ["wrong", "orders.status", null],
    ]);
    expect(groups[0]!.messages.map(({ text, after, reasons }) => [text, after, reasons])).toEqual([
      [
        "where is my order, and the parcels of my mother",
        "where is my order",
        ["the visitor then said: “no, not those”"],
      ],
      ["submarine tours", undefined, ["the answer says nothing of “submarine”, “tours”"]],
    ]);
    expect((await get<ImprovePage>("/improve?outcome=unhelpful")).groups).toHaveLength(1);
    expect((await get<ImprovePage>("/improve?outcome=wrong&bot=other")).groups).toEqual([]);
  });

  test("offers what leans on the message before it as an example behind that alone", async () => {
    await say(asked("how much is a tent", { in: "a", at: NOW - 1 }), asked("and in august", { in: "a" }));
    const { groups } = await get<ImprovePage>("/improve?outcome=unmatched");
    const messages = groups.flatMap((group) => group.messages);
    const afterOf = new Map(messages.map(({ text, after }) => [text, after]));
    expect(afterOf).toEqual(
      new Map([
        ["how much is a tent", undefined],
        ["how much is a tent, and in august", "how much is a tent"],
      ]),
    );
  });

  test("groups answers that did not help by the intent that gave them, with their reasons", async () => {
    await say(
      { in: "a", at: NOW - 3, input: "where is my order", intent: "orders.status" },
      { in: "b", at: NOW - 2, input: "Where is my order?", intent: "orders.status" },
      { in: "c", at: NOW - 1, input: "is it lost", intent: "orders.status" },
      { in: "d", input: "the weather", reason: "no_intent_match" },
      { in: "e", input: "thanks", intent: "orders.status" },
    );
    await rate("a", "down", "too vague");
    await rate("b", "down", "no date");
    for (const conversation of ["c", "d"]) await rate(conversation, "down");
    await rate("e", "up", "fine");
    const { groups } = await get<ImprovePage>("/improve?outcome=unhelpful");
    expect(groups.map(({ kind, intent, turns, reason }) => [kind, intent, turns, reason])).toEqual([
      ["unhelpful", "orders.status", 3, null],
      ["unhelpful", null, 1, null],
    ]);
    expect(groups[0]!.messages).toEqual([
      {
        text: "Where is my order?",
        times: 2,
        latestAt: NOW - 2,
        requestId: expect.any(String),
        conversationId: "b",
        answer: expect.any(String),
        reasons: ["no date", "too vague"],
      },
      expect.objectContaining({ text: "is it lost", reasons: [] }),
    ]);
    expect((await get<ImprovePage>("/improve")).groups.map(({ kind }) => kind)).toContain("unmatched");
    expect((await get<ImprovePage>("/improve?outcome=unmatched")).groups).toHaveLength(1);
  });

  test("shows what was set aside again once it is rated down anew", async () => {
    await say(
      { in: "a", at: NOW - DAY, input: "where is my order", intent: "orders.status" },
      { in: "b", input: "where is my order", intent: "orders.status" },
    );
    await rate("a", "down", "too vague", NOW - HOUR);
    const texts = async () =>
      (await get<ImprovePage>("/improve")).groups.flatMap(({ messages }) => messages.map(({ text }) => text));
    expect(await texts()).toEqual(["where is my order"]);
    await ask("POST", "/improve/set-aside", { bot: "shop", as: "ignore", texts: ["where is my order"] });
    expect(await texts()).toEqual([]);
    await rate("b", "down", "still", NOW + HOUR);
    operatorConsole.improvement.forget();
    expect(await texts()).toEqual(["where is my order"]);
  });

  test("says how many ratings cannot be shown, as texts are not stored", async () => {
    await say({ in: "a", input: "", intent: "orders.status" });
    await rate("a", "down");
    expect(await get<ImprovePage>("/improve")).toMatchObject({ groups: [], notKept: 1 });
  });

  test("shows nothing of a conversation that was deleted, however lately it was grouped", async () => {
    await say(asked("my secret is 4711", { in: "a" }), asked("buy crypto now", { in: "b" }));
    const texts = async () =>
      (await get<ImprovePage>("/improve")).groups.flatMap(({ messages }) => messages.map(({ text }) => text));
    expect((await texts()).toSorted()).toEqual(["buy crypto now", "my secret is 4711"]);
    // As a command does, or a server beside this one, or the end of the retention.
    await eraseConversation(runtime.store, "a");
    expect(await texts()).toEqual(["buy crypto now"]);
  });

  test("is made anew when a conversation is deleted, also while it is being made", async () => {
    await say(asked("my secret is 4711", { in: "a" }));
    await operatorConsole.catchUp();
    const grouping = Promise.withResolvers<void>();
    let grouped = 0;
    const improvement = new Improvement({
      ...runtime,
      cluster: async (texts) => {
        grouped++;
        await grouping.promise;
        return texts.map((_, place) => ({ count: 1, members: [place] }));
      },
    });
    const looking = improvement.page({ since: 0 });
    while (grouped === 0) await Bun.sleep(1);
    await eraseConversation(runtime.store, "a");
    improvement.forget();
    grouping.resolve();
    expect((await looking).groups).toEqual([]);
    await say(asked("buy crypto now", { in: "b" }));
    await operatorConsole.catchUp();
    expect(await improvement.page({ since: 0 })).toMatchObject({ looked: 1, groups: [{ turns: 1 }] });
    expect(grouped).toBe(2);
  });

  test("leaves out what was set aside, in whatever spelling, until it is taken back", async () => {
    await say(asked("buy crypto now"), asked("Buy CRYPTO now!"), asked("where is the toilet"));
    const before = await get<ImprovePage>("/improve?bot=shop");
    const body = { bot: "shop", as: "ignore", texts: ["buy crypto NOW"] };
    permissions = ["read"];
    expect(await statusOf("POST", "/improve/set-aside", body)).toBe(403);
    permissions = PERMISSIONS;
    expect(await statusOf("POST", "/improve/set-aside", body)).toBe(204);
    const after = await get<ImprovePage>("/improve?bot=shop");
    expect(after.groups.map(({ messages }) => messages[0]!.text)).toEqual(["where is the toilet"]);
    expect(after.setAside).toBe(1);
    expect((await get<Overview>("/overview")).waiting).toBe(1);
    expect(await statusOf("DELETE", "/improve/set-aside", body)).toBe(204);
    const again = await get<ImprovePage>("/improve?bot=shop");
    expect(again.groups.map(({ id }) => id)).toEqual(before.groups.map(({ id }) => id));
    expect(await statusOf("POST", "/improve/set-aside", { ...body, bot: "nobody" })).toBe(404);
  });
});
