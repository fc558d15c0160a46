import { expect } from "bun:test";

import type { CountedEvent } from "../../src/domain/delivery.ts";
import {
  type BotId,
  type ConversationId,
  type IntentName,
  newDeliveryId,
  newEmbedTokenId,
  newHandoffId,
  newRequestId,
  secureRandomBytes,
} from "../../src/domain/ids.ts";
import { packTerms, termsOfPassage } from "../../src/knowledge/packed-terms.ts";
import { type CopiedTable, planTables } from "../../src/store/copy/catalogue.ts";
import { describePostgres } from "../../src/store/copy/postgres-side.ts";
import { SqliteSide } from "../../src/store/copy/sqlite-side.ts";
import type { Store } from "../../src/store/interface/store.ts";
import { Connection } from "../../src/store/postgres/connection.ts";
import { Sqlite } from "../../src/store/sqlite/driver.ts";
import { migrate } from "../../src/store/sqlite/migrate.ts";
import { shopBot } from "./bots.ts";
import { HANG_MS } from "./eventually.ts";
import { PostgresStores } from "./postgres-stores.ts";
import { turnWith } from "./turns.ts";

/** The tables that a copy includes. */
export async function readPlan(): Promise<CopiedTable[]> {
  const db = new Sqlite(":memory:");
  migrate(db, ":memory:", { now: Date.now });
  await using stores = await PostgresStores.create();
  await stores.open();
  await using connection = new Connection(stores.address, HANG_MS);
  return planTables(new SqliteSide(db, { isSource: false }).describe(), await describePostgres(connection));
}

/** Tables that belong to the servers of one store, and word indexes. */
const OF_ONE_STORE = new Set([
  "turns_in_flight",
  "instances",
  "write_probe",
  "sign_in_links",
  "operator_sessions",
  "asset_builds",
  "asset_contents",
  "asset_files",
  "awaited_turns",
  "turn_blocks",
  "erased_places",
]);

/** Integer keys of one file, and the ids that replace them. */
const IDS: Readonly<Record<string, string>> = {
  conversation_key: "SELECT key, id FROM conversations",
  turn_key: "SELECT key, request_id AS id FROM turns",
  "sentence_models.intent_model": "SELECT key, id FROM intent_models",
};
const OWN_KEYS = new Set(["conversations.key", "turns.key", "intent_models.key", "bot_versions.key"]);

/** Every row of a database file, with ids instead of the file's integer keys, in an order that does not depend on where it was copied. */
export function readCopiedRows(file: string): Map<string, unknown[]> {
  const db = new Sqlite(file, { fileMustExist: true });
  const namesOf = (sql: string) => new Map(db.prepare<[], [number, string]>(sql).raw().all());
  const names = new Map(Object.entries(IDS).map(([column, sql]) => [column, namesOf(sql)]));
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all()
    .filter((table) => !OF_ONE_STORE.has(table));
  const rows = tables.map((table): [string, unknown[]] => {
    const order = table === "turns" ? "ORDER BY conversation_key, key" : "";
    const held = db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ${order}`).all();
    const own = held.map((row) =>
      Object.entries(row).flatMap(([column, value]) => {
        const path = `${table}.${column}`;
        if (OWN_KEYS.has(path)) return [];
        const ids = names.get(path) ?? names.get(column);
        if (ids && value !== null) return [[column, ids.get(value as number) ?? "missing"]];
        return [[column, value instanceof Uint8Array ? value.toHex() : value]];
      }),
    );
    return [
      table,
      table === "turns" ? inConversations(own) : own.map((row) => JSON.stringify(row)).toSorted(),
    ];
  });
  db.close();
  return new Map(rows);
}

/** Keeps the order of a conversation's turns. */
function inConversations(turns: readonly unknown[][][]): unknown[] {
  const idOf = (turn: unknown[][]) => turn.find(([column]) => column === "conversation_key")![1] as string;
  return [...Map.groupBy(turns, idOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Writes rows of each kind, as servers and commands do. */
export async function writeOneOfEach(store: Store, at: number): Promise<void> {
  const name = `bot-${at}`;
  const bytes = (length: number) => secureRandomBytes(length);
  const model = { model: bytes(8), sentences: bytes(8) };
  const models = { idOf: new Map([[name, name]]), trained: new Map([[name, model]]), encoder: name };
  await store.giveBackUnfinished();
  expect(await store.noteStart({ at })).toBeGreaterThan(0);
  await store.assets.saveBuild(name, [{ path: "cdn/panel.js", integrity: name, brotli: bytes(8) }]);
  const document = shopBot({ id: name });
  const seeded = await store.bots.seed([document], { prune: false, dryRun: false }, models);
  expect(seeded).toMatchObject([{ change: "created" }]);
  const published = { document: shopBot({ id: name, name: "Spring" }), yaml: "a: 1", replaces: 1 };
  expect(await store.bots.publish(published)).toBe("published");
  const bot = (await store.bots.find(name))!.key;
  expect(await store.botDrafts.save(bot, { yaml: "a: 2", baseVersion: 2 }, "none")).toBeDefined();
  const token = { id: newEmbedTokenId(at, secureRandomBytes), hash: bytes(32), botIds: [name as BotId] };
  await store.embedTokens.create(token);
  const { key: embedToken } = (await store.embedTokens.findByHash(token.hash))!;

  const conversationId = `cv_${name}` as ConversationId;
  const turnOf = (fields: object = {}) =>
    turnWith({ requestId: newRequestId(at, secureRandomBytes), at, ...fields });
  const keyed = () => ({ embedToken, keyHash: bytes(32), bodyHash: bytes(32) });
  const turn = turnOf();
  expect(await store.recordTurn({ bot, conversationId, turn, idempotencyKey: keyed() })).toBe("recorded");
  const unanswered = turnOf({ state: "unanswered" });
  const begun = await store.beginTurn({ bot, conversationId, turn: unanswered, idempotencyKey: keyed() });
  if (begun.outcome !== "begun") throw new Error(begun.outcome);
  const answered = { ...unanswered, state: "complete" as const, intent: "orders.status" as IntentName };
  const { key, instance } = begun;
  const finished = { key, instance, bot, conversationId, turn: answered, modelTokens: 7, isCounted: true };
  expect(await store.finishTurn(finished)).toBe("finished");

  const to = (event: "feedback.given" | "handoff.requested") => [
    { id: newDeliveryId(at, secureRandomBytes), channel: "webhook" as const, target: "crm", event },
  ];
  const rated = { requestId: turn.requestId, rating: "up" as const, reason: "good", at };
  expect(await store.feedback.save(rated, to("feedback.given"))).toBe(true);
  const id = newHandoffId(at, secureRandomBytes);
  const handoff = () => ({
    id,
    bot,
    conversationId,
    fields: { message: "please" },
    sharesTranscript: true,
    at,
    idempotency: { keyHash: bytes(32), bodyHash: bytes(32) },
    deliveries: to("handoff.requested"),
  });
  expect((await store.handoffs.open(handoff())).outcome).toBe("opened");
  const again = { ...handoff(), fields: { message: "and soon" } };
  expect((await store.handoffs.open(again)).outcome).toBe("completed");
  const person = { id, operator: "ann", name: "Ann", at, until: at + 60_000 };
  expect(await store.handoffs.take(person)).toMatchObject({ handoff: { state: "live" } });
  expect(await store.handoffs.say(person, "Hello.", bytes(32))).toBeDefined();
  const live = { bot, conversationId, turn: turnOf({ input: "thank you" }), idempotencyKey: keyed() };
  expect(await store.handoffs.recordLive(live)).toBe("recorded");

  expect(await store.operators.add({ name, role: "owner" })).toBe(true);
  expect(await store.operators.issueLink(name, { hash: bytes(32), expiresAt: at + 60_000 })).toBe(true);
  expect(await store.operators.setPassword(name, "$argon2id$", bytes(32))).toBe(true);
  const operatorKey = { id: `ok_${name}`, hash: bytes(32), label: "x", permissions: ["read"] as const };
  expect(await store.operatorKeys.add({ ...operatorKey, createdBy: name })).toBe(true);

  const entry = { path: "docs/" };
  await store.knowledge.changeSources(bot, () => [
    { name: "docs/", origin: "command", folder: "/srv", entry },
  ]);
  const passage = { headingPath: ["A"], body: name, terms: packTerms(termsOfPassage("A", name)) };
  const known = { id: "a.md", source: "docs/", place: "docs/a.md", hash: "h", title: "A" };
  await store.knowledge.saveDocuments(bot, [{ ...known, passages: [passage] }]);
  const [passageId] = await store.knowledge.listPassageIds(bot);
  expect((await store.knowledge.findPassages([passageId!])).get(passageId!)).toMatchObject({ body: name });
  expect(await store.vectors.registerEncoder(name)).toEqual([]);
  await store.vectors.savePassageVectors(new Map([[passageId!, bytes(8)]]), name);
  expect(await store.vectors.findPassageVectors(passageId!, name)).toHaveLength(8);
  await store.saveEmbeddings("a-model", new Map([[bytes(32), new Float32Array([1])]]));
  await store.analytics.setAside(bot, [bytes(32)], "ignore", name);

  await store.outbox.startReporting([{ target: "crm", event: "turn.refused" }], at);
  const refused = turnOf({
    metadata: { ...turn.metadata, capabilityAllowed: false, enforcementReason: "DENY_LIST" },
  });
  expect(await store.recordTurn({ bot, conversationId, turn: refused })).toBe("recorded");
  const reported = await countAll(store, at);
  expect(reported).toBeGreaterThan(0);
  const [latest] = await store.outbox.list({ limit: 1, event: "turn.refused", bot: name });
  expect(latest).toMatchObject({ subject: refused.requestId });
  await store.beatClock(at);
  await store.assertWritable();
  expect(await store.usage.read(bot, at)).toBe(3);
  expect(await store.usage.readTokens(bot, at)).toBe(7);
}

/** Counts uncounted turns, and adds their events. @returns number of deliveries. */
export async function countAll(store: Store, at: number): Promise<number> {
  const reporting = {
    recipientsOf: (_: BotId, event: CountedEvent) =>
      event === "turn.refused"
        ? [{ id: newDeliveryId(at, secureRandomBytes), channel: "webhook" as const, target: "crm", event }]
        : [],
    now: () => at,
    mostOfTurns: 100,
  };
  let added = 0;
  for (;;) {
    const { reported, mayGoOn, counted } = await store.analytics.countTurns(50, reporting);
    added += reported?.added ?? 0;
    if (!mayGoOn && counted === 0) return added;
  }
}
