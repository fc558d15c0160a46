import { afterAll, beforeAll, expect, test } from "bun:test";

import { NO_KNOWLEDGE } from "../../src/bots/bot-knowledge.ts";
import type { FieldChange } from "../../src/domain/change.ts";
import type { BotDetails, BotValidation } from "../../src/domain/operator/bots.ts";
import { Workshop } from "../../src/operate/workshop.ts";
import { exportBot } from "../../src/seed/export-bot.ts";
import { shopBot, type WrittenFields } from "../support/bots.ts";
import { eventually } from "../support/eventually.ts";
import { documentOf } from "../support/knowledge.ts";
import { type TestOperator, signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

let parley: TestParley;
let owner: TestOperator;
beforeAll(async () => {
  parley = await startParley({ bots: [shopBot()] });
  owner = await signIn(parley, "olga", "owner");
});
afterAll(() => parley[Symbol.asyncDispose]());

const DENY_TYPO: WrittenFields = { capabilityProfile: { deny: ["account.delte"] } };
const PASSING = [{ utterance: "where is my order", intent: "orders.status", decision: "allowed" }] as const;
const FAILING = [{ utterance: "where is my order", decision: "DENY_LIST" }] as const;
const yamlOf = (fields: WrittenFields = {}) => exportBot(shopBot(fields));

interface NotedChange {
  kind: string;
  subject: string;
  fields: FieldChange[];
}

interface Answer {
  status: number;
  code?: string;
  details?: string[];
}

async function read(response: Response): Promise<Answer> {
  const body = (await response.json()) as { code?: string; errors?: { pointer: string; detail: string }[] };
  return {
    status: response.status,
    ...(body.code !== undefined && { code: body.code }),
    ...(body.errors && { details: body.errors.map(({ detail }) => detail) }),
  };
}

async function details(bot = "shop"): Promise<BotDetails & { etag: string }> {
  const response = await owner.ask("GET", `/bots/${bot}`);
  return { ...((await response.json()) as BotDetails), etag: response.headers.get("etag")! };
}

async function publish(fields: WrittenFields, more: object = {}, bot = "shop"): Promise<Answer> {
  const { etag } = await details(bot);
  const body = { yaml: yamlOf({ id: bot, ...fields }), ...more };
  return read(await owner.ask("PUT", `/bots/${bot}`, { body, headers: { "If-Match": etag } }));
}

async function restore(version: number, body?: object): Promise<Answer> {
  const { etag } = await details();
  const path = `/bots/shop/versions/${version}/restore`;
  return read(await owner.ask("POST", path, { ...(body && { body }), headers: { "If-Match": etag } }));
}

async function lastChange(): Promise<NotedChange> {
  const { items } = await owner.json<{ items: NotedChange[] }>("GET", "/audit");
  return items[0]!;
}

const acceptedIn = ({ fields }: NotedChange) => fields.find(({ field }) => field === "acceptedFaults")?.after;

const NAME_FAULT = expect.stringMatching(
  /^line \d+, column \d+: `account\.delte` matches no intent of this bot; did you mean `account\.delete`\?$/,
) as string;
const TEST_FAULT = expect.stringMatching(
  /^line \d+, column \d+: the test "where is my order" fails: decision is allowed, not DENY_LIST$/,
) as string;
const REFUSED = { status: 422, code: "UNACCEPTED_FAULTS" };

test("a bot whose `deny` names what is not there is not published, and every fault is told with its place", async () => {
  const before = await details();
  const answer = await publish({ ...DENY_TYPO, tests: [...PASSING, ...FAILING] });
  expect(answer).toEqual({ ...REFUSED, details: [NAME_FAULT, TEST_FAULT] });
  expect(await details()).toMatchObject({ version: before.version, yaml: before.yaml });
});

test("a bot whose tests fail is not published, and one whose tests pass is", async () => {
  const { version } = await details();
  expect(await publish({ tests: [...FAILING] })).toEqual({ ...REFUSED, details: [TEST_FAULT] });
  expect(await publish({ tests: [...PASSING] })).toMatchObject({ status: 200 });
  expect((await details()).version).toBe(version + 1);
  expect(acceptedIn(await lastChange())).toBeUndefined();
});

test("`acceptFaults` publishes all the same, without running the tests, and the audit tells it", async () => {
  const fields = { ...DENY_TYPO, tests: [...FAILING] };
  expect(await publish(fields, { acceptFaults: true })).toMatchObject({ status: 200 });
  const change = await lastChange();
  expect(change).toMatchObject({ kind: "bot.updated", subject: "shop" });
  expect(acceptedIn(change)).toEqual([
    "`account.delte` matches no intent of this bot; did you mean `account.delete`?",
    "its tests were not run",
  ]);
  // Where nothing was passed over, nothing is told of it.
  expect(await publish({ name: "Sound" }, { acceptFaults: true })).toMatchObject({ status: 200 });
  expect(acceptedIn(await lastChange())).toBeUndefined();
});

test("going back to a version with faults asks as well", async () => {
  expect(await publish({ tests: [...FAILING] }, { acceptFaults: true })).toMatchObject({ status: 200 });
  const { version } = await details();
  expect(await publish({ name: "Sound again" })).toMatchObject({ status: 200 });
  expect(await restore(version)).toEqual({ ...REFUSED, details: [TEST_FAULT] });
  expect(await restore(version, {})).toEqual({ ...REFUSED, details: [TEST_FAULT] });
  expect((await details()).name).toBe("Sound again");
  expect(await restore(version, { acceptFaults: true })).toMatchObject({ status: 200 });
  expect(await details()).toMatchObject({ version: version + 2 });
  expect(await restore(version + 1)).toMatchObject({ status: 200 });
});

test("a new bot with faults is made only where they are accepted", async () => {
  const yaml = yamlOf({ id: "fresh", tests: [...FAILING] });
  const refused = await read(await owner.ask("POST", "/bots", { body: { yaml } }));
  expect(refused).toEqual({ ...REFUSED, details: [TEST_FAULT] });
  expect((await owner.ask("GET", "/bots/fresh")).status).toBe(404);
  const made = await owner.ask("POST", "/bots", { body: { yaml, acceptFaults: true } });
  expect(made.status).toBe(201);
});

test("tests are judged by the documents that the bot has", async () => {
  const { bots, knowledge } = parley.store;
  const asks = [{ utterance: "how do tents dry", intent: "knowledge" }];
  const made = await owner.ask("POST", "/bots", { body: { yaml: yamlOf({ id: "reader" }) } });
  expect(made.status).toBe(201);
  const fields = { capabilityProfile: {}, tests: asks };
  expect(await publish(fields, {}, "reader")).toMatchObject(REFUSED);
  const { key } = (await bots.find("reader"))!;
  await knowledge.changeSources(key, () => [
    { name: "notes.md", origin: "command", folder: "/srv", entry: "notes.md" },
  ]);
  await knowledge.saveDocuments(key, [
    documentOf("notes.md", ["How do tents dry? Tents dry in the air, within a day."], { source: "notes.md" }),
  ]);
  expect(await publish(fields, {}, "reader")).toMatchObject({ status: 200 });
});

test("tests of what is published wait for no tests of a draft, and for no preview", async () => {
  const endless = Promise.withResolvers<never>();
  const rehearsed: string[] = [];
  await using workshop = new Workshop({
    store: parley.store,
    configured: { webhooks: [], models: [], endpoints: {} },
    bundles: () => ({ cdnUrl: "http://localhost/cdn", templateOrigins: [] }),
    openRehearsal: ({ name }) => {
      rehearsed.push(name);
      return name === "Draft" ? endless.promise : Promise.reject(new Error("reached"));
    },
  });
  const { signal } = new AbortController();
  const bot = (await parley.store.bots.find("shop"))!;
  const draft = workshop.test(bot, shopBot({ name: "Draft", tests: [...PASSING] }), {
    signal,
    report: () => {},
  });
  await eventually(() => expect(rehearsed).toEqual(["Draft"]));
  const document = shopBot({ name: "Published", tests: [...PASSING] });
  const model = { model: new Uint8Array() };
  const published = workshop.testPublished({ document, model, knowledge: NO_KNOWLEDGE }, signal);
  await expect(published).rejects.toThrow("reached");
  endless.reject(new Error("over"));
  await expect(draft).rejects.toThrow("over");
});

test("a draft is checked with its faults marked, and can be tried out nonetheless", async () => {
  const yaml = yamlOf(DENY_TYPO);
  const checked = await owner.json<BotValidation>("POST", "/bots/shop/validate", { yaml });
  expect(checked.mistakes).toEqual([
    expect.objectContaining({ severity: "warning", isFault: true, line: expect.any(Number) as number }),
  ]);
  expect(checked).not.toHaveProperty("testPlaces");
  const tried = await owner.ask("POST", "/bots/shop/try", { body: { yaml, input: "where is my order" } });
  expect(tried.status).toBe(200);
});
