import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ChangeKind } from "../../src/domain/change.ts";
import {
  type BotId,
  type ConversationId,
  newEmbedTokenId,
  type RequestId,
  secureRandomBytes,
} from "../../src/domain/ids.ts";
import { packTerms, termsOfPassage } from "../../src/knowledge/packed-terms.ts";
import type { BotKey } from "../../src/store/interface/bots.ts";
import { Sqlite } from "../../src/store/sqlite/driver.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "./bots.ts";
import { turnWith } from "./turns.ts";

/** Every row of every table of a database file, by table, as comparable texts. */
export function readTables(file: string): Map<string, string[]> {
  const db = new Sqlite(file, { fileMustExist: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck();
    return new Map((tables.all() as string[]).map((table) => [table, rowsOf(db, table)]));
  } finally {
    db.close();
  }
}

/** The same without the audit log, to which every changing command adds. */
export function readTablesButChanges(file: string): Map<string, string[]> {
  const tables = readTables(file);
  tables.delete("changes");
  return tables;
}

/** All tables without the latest change, which must be of that kind. */
export function tablesBefore(kind: ChangeKind, tables: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const changes = tables.get("changes")!.map((row) => JSON.parse(row) as [key: number, ...unknown[]]);
  const inOrder = changes.toSorted(([a], [b]) => a - b);
  if (inOrder.at(-1)?.[5] !== kind) throw new Error(`the latest change is no ${kind}`);
  const earlier = inOrder.slice(0, -1).map((row) => JSON.stringify(row));
  return new Map([...tables, ["changes", earlier.toSorted()]]);
}

function rowsOf(db: InstanceType<typeof Sqlite>, table: string): string[] {
  const rows = db.prepare(`SELECT * FROM "${table}"`).raw().all();
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

/** The inputs of all turns, in order. */
export function readInputs(file: string): string[] {
  const db = new Sqlite(file, { fileMustExist: true });
  try {
    return db.prepare("SELECT input FROM turns ORDER BY key").pluck().all() as string[];
  } finally {
    db.close();
  }
}

/** A data folder with rows in every kind of table. */
export class FilledFolder implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "parley-backup-"));
  readonly dataDir = join(this.root, "data");
  readonly database = join(this.dataDir, "parley.db");

  openStore(): SqliteStore {
    return new SqliteStore({ dataDir: this.dataDir, now: Date.now, busyTimeoutMs: 5000 });
  }

  /** Seeds the shop, and stores a turn for each of these messages. */
  async fill(...inputs: string[]): Promise<void> {
    await using store = this.openStore();
    await fillStore(store, inputs);
  }

  clear(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.root, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Seeds the shop with a model and a token, and stores a turn for each message, an unanswered one, and a vector. */
export async function fillStore(store: SqliteStore, inputs: readonly string[]): Promise<void> {
  const model = { model: new Uint8Array([1, 2, 3]), sentences: new Uint8Array([4, 5]) };
  const models = {
    idOf: new Map([["shop", "model-1"]]),
    trained: new Map([["model-1", model]]),
    encoder: "e",
  };
  await store.bots.seed([shopBot()], { prune: false, dryRun: false }, models);
  await issueToken(store);
  const bot = (await store.bots.find("shop"))!.key;
  const conversationId = "cv_1" as ConversationId;
  for (const [n, input] of inputs.entries()) {
    const turn = turnWith({ requestId: `rq_${n}_${input}` as RequestId, at: Date.now(), input });
    await store.recordTurn({ bot, conversationId, turn });
  }
  const unanswered = turnWith({ requestId: "rq_begun" as RequestId, at: Date.now(), state: "unanswered" });
  await store.beginTurn({ bot, conversationId, turn: unanswered });
  await store.saveEmbeddings("a-model", new Map([[new Uint8Array(32), new Float32Array([0.5, 1])]]));
  await saveDocuments(store, bot);
  await addOperator(store);
  await store.assets.saveBuild("a-build", [
    { path: "cdn/panel.js", integrity: "i", brotli: new Uint8Array([1]) },
  ]);
  await store.beatClock(Date.now());
  await store.assertWritable();
}

/** A source with a document of two passages. */
async function saveDocuments(store: SqliteStore, bot: BotKey): Promise<void> {
  const entry = { path: "docs/" };
  await store.knowledge.changeSources(bot, () => [
    { name: "docs/", origin: "bot-file", folder: "/srv", entry },
  ]);
  const known = { id: "returns.md", source: "docs/", place: "docs/returns.md", hash: "h" };
  const passages = ["Thirty days.", "No shoes."].map((body) => ({
    headingPath: ["Returns"],
    body,
    terms: packTerms(termsOfPassage("Returns", body)),
  }));
  await store.knowledge.saveDocuments(bot, [{ ...known, title: "Returns", passages }]);
}

/** An owner with a password and a key. */
async function addOperator(store: SqliteStore): Promise<void> {
  await store.operators.add({ name: "ann", role: "owner" });
  const sessionHash = secureRandomBytes(32);
  await store.operators.setPassword("ann", "$argon2id$", sessionHash);
  await store.operatorSessions.end(sessionHash);
  const id = newEmbedTokenId(Date.now(), secureRandomBytes);
  const key = { label: "nightly", permissions: ["read"] as const, createdBy: "ann" };
  await store.operatorKeys.add({ id, hash: secureRandomBytes(32), ...key });
}

/** The tables that `fillStore` writes to. */
export const FILLED_TABLES = [
  "asset_builds",
  "asset_contents",
  "asset_files",
  "bot_rows",
  "bot_versions",
  "changes",
  "clock",
  "conversations",
  "embed_token_bots",
  "embed_tokens",
  "embeddings",
  "instances",
  "intent_models",
  "knowledge",
  "knowledge_documents",
  "knowledge_passages",
  "knowledge_sources",
  "monthly_usage",
  "operator_keys",
  "operators",
  "sentence_models",
  "turns",
  "turns_in_flight",
  "write_probe",
];

async function issueToken(store: SqliteStore): Promise<void> {
  await store.embedTokens.create({
    id: newEmbedTokenId(Date.now(), secureRandomBytes),
    hash: secureRandomBytes(32),
    botIds: ["shop" as BotId],
  });
}

/** Overwrites the middle of a file with zeros, as a disk that lost data. */
export async function zeroMiddle(file: string): Promise<void> {
  const bytes = await Bun.file(file).bytes();
  const middle = Math.floor(bytes.length / 2 / PAGE_BYTES) * PAGE_BYTES;
  bytes.fill(0, middle, middle + 4 * PAGE_BYTES);
  await Bun.write(file, bytes);
}

const PAGE_BYTES = 4096;
