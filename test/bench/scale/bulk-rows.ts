import { join } from "node:path";

import type { Database } from "better-sqlite3";

import { newConversationId, newRequestId, secureRandomBytes } from "../../../src/domain/ids.ts";
import { openDatabase } from "../../../src/store/sqlite/database.ts";

/**
 * Fills a data folder far faster than a server could: rows of one real conversation and of one trained bot are copied by SQL. The only
 * file of the benches that knows tables.
 */

const ROWS_PER_TRANSACTION = 20_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Period over which the copies are spread. */
const SPREAD_DAYS = 90;

type Row = Record<string, unknown>;

/** Values of a copied turn that differ from the original's; `number` counts the turns. */
export type Vary = (number: number) => Row;

/**
 * Copies the folder's only conversation, each time with `turns` turns.
 *
 * @returns the ids of the copies, oldest first.
 */
export function copyConversations(
  data: string,
  conversations: number,
  turns: number,
  vary: Vary = () => ({}),
): string[] {
  return inBulk(data, (db) => {
    const template = readConversation(db);
    const perTransaction = Math.max(1, Math.floor(ROWS_PER_TRANSACTION / turns));
    const stepMs = (SPREAD_DAYS * DAY_MS) / conversations;
    const startMs = Date.now() - SPREAD_DAYS * DAY_MS;
    const copy = db.transaction((from: number, until: number) =>
      Array.from({ length: until - from }, (_, index) =>
        copyConversation(db, template, {
          at: Math.round(startMs + (from + index) * stepMs),
          turns,
          vary: (turn) => vary((from + index) * turns + turn),
        }),
      ),
    );
    const ids: string[] = [];
    while (ids.length < conversations) {
      ids.push(...copy(ids.length, Math.min(conversations, ids.length + perTransaction)));
    }
    return ids;
  });
}

/** Copies the folder's only bot, with its trained model, until there are `count`. @returns the ids of all. */
export function copyBots(data: string, count: number): string[] {
  return inBulk(data, (db) => {
    const bot = db.prepare<[], Row & { id: string }>("SELECT * FROM bot_rows").get()!;
    const version = db
      .prepare<[], Row & { document: string }>("SELECT * FROM bot_versions ORDER BY key DESC")
      .get()!;
    const ids = Array.from({ length: count - 1 }, (_, index) => `${bot.id}-${index + 1}`);
    db.transaction(() => {
      for (const id of ids) {
        const key = insert(db, "bot_rows", { ...bot, id });
        const document = JSON.stringify({ ...(JSON.parse(version.document) as Row), id });
        insert(db, "bot_versions", { ...version, bot_key: key, document });
      }
    })();
    return [bot.id, ...ids];
  });
}

/** No row has to survive a power cut. */
function inBulk<Result>(data: string, write: (db: Database) => Result): Result {
  const db = openDatabase(join(data, "parley.db"), 0);
  try {
    db.pragma("synchronous = OFF");
    return write(db);
  } finally {
    db.pragma("wal_checkpoint(TRUNCATE)");
    db.close();
  }
}

interface Template {
  conversation: Row;
  turns: Row[];
}

function readConversation(db: Database): Template {
  return {
    conversation: db.prepare<[], Row>("SELECT * FROM conversations").get()!,
    turns: db.prepare<[], Row>("SELECT * FROM turns ORDER BY key").all(),
  };
}

interface Copied {
  at: number;
  turns: number;
  vary: Vary;
}

function copyConversation(db: Database, { conversation, turns }: Template, copied: Copied): string {
  const { at, vary } = copied;
  const id = newConversationId(at, secureRandomBytes);
  const key = insert(db, "conversations", { ...conversation, id, created_at: at });
  for (let turn = 0; turn < copied.turns; turn += 1) {
    const request_id = newRequestId(at + turn, secureRandomBytes);
    const original = turns[turn % turns.length]!;
    insert(db, "turns", { ...original, ...vary(turn), request_id, conversation_key: key, at: at + turn });
  }
  return id;
}

const statements = new WeakMap<Database, Map<string, ReturnType<Database["prepare"]>>>();

/** Inserts a row under a new key. @returns the key. */
function insert(db: Database, table: string, { key: _, ...row }: Row): number {
  const columns = Object.keys(row);
  const ofDatabase = statements.get(db) ?? new Map();
  statements.set(db, ofDatabase);
  let statement = ofDatabase.get(table);
  if (!statement) {
    const values = columns.map((column) => `@${column}`).join(", ");
    statement = db.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${values})`);
    ofDatabase.set(table, statement);
  }
  return Number(statement.run(row).lastInsertRowid);
}
