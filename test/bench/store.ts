import {
  type ConversationId,
  newConversationId,
  newRequestId,
  secureRandomBytes,
} from "../../src/domain/ids.ts";
import type { BotKey } from "../../src/store/interface/bots.ts";
import { Sqlite } from "../../src/store/sqlite/driver.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../support/bots.ts";
import { turnWith } from "../support/turns.ts";
import { type DataFolder, dataFolder } from "./servers/data-folder.ts";

/** Turns of a group, as with 64 callers. */
const GROUP = 64;
const TURNS = 4;
const ROUNDS = 40;
const GROUPS_PER_ROUND = 20;
/** Groups before the measurement, so that the code is compiled. */
const WARM_UP_ROUNDS = 10;
/** Texts of the length of the sample shop's. */
const RESPONSE = "z".repeat(300);

/** Indexes that only operators' queries, retention and erasure need; a later batch could fill them. */
const LATER_INDEXES = ["turns_by_time", "turns_by_conversation", "conversations_by_bot_and_time"];

interface Variant {
  name: string;
  store: SqliteStore;
  /** Another server on the folder, whose writes invalidate the first one's memory. */
  other?: SqliteStore;
  bot: BotKey;
  folder: DataFolder;
  cpuMicroseconds: { write: number; find: number };
  turns: { written: number; found: number };
}

/**
 * Prints the cost of the store's part of a message: writing a turn in a group commit, with all indexes and with only those that the path
 * of a message needs; and finding the conversation, in memory and in the file. In one process, the variants in turns, in a folder in memory.
 */
export async function printStore(): Promise<void> {
  const variants = [
    await open("all indexes, conversations in memory", {}),
    await open("without the indexes that could be filled later", { drops: LATER_INDEXES }),
    await open("all indexes, another server writes to the folder", { isShared: true }),
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const variant of variants) await runRound(variant, round >= WARM_UP_ROUNDS);
  }
  console.log(
    `\nCPU µs of the store, groups of ${GROUP}, conversations of ${TURNS} turns, folder in memory\n`,
  );
  console.log(`${"".padEnd(52)}${"to write".padStart(10)}${"to find".padStart(10)}`);
  for (const { name, cpuMicroseconds, turns } of variants) {
    const written = (cpuMicroseconds.write / turns.written).toFixed(1);
    const found = (cpuMicroseconds.find / turns.found).toFixed(1);
    console.log(`${name.padEnd(52)}${written.padStart(10)}${found.padStart(10)}`);
  }
  for (const { store, other, folder } of variants) {
    await store[Symbol.asyncDispose]();
    await other?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  }
}

async function open(
  name: string,
  { drops = [], isShared = false }: { drops?: string[]; isShared?: boolean },
): Promise<Variant> {
  const folder = dataFolder("memory");
  const { path } = folder;
  const start = () => new SqliteStore({ dataDir: path, now: Date.now, busyTimeoutMs: 1000 });
  const store = start();
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  dropIndexes(path, drops);
  return {
    name,
    store,
    ...(isShared && { other: start() }),
    bot: (await store.bots.find("shop"))!.key,
    folder,
    cpuMicroseconds: { write: 0, find: 0 },
    turns: { written: 0, found: 0 },
  };
}

function dropIndexes(path: string, names: readonly string[]): void {
  const db = new Sqlite(`${path}/parley.db`);
  for (const name of names) db.exec(`DROP INDEX ${name}`);
  db.close();
}

async function runRound(variant: Variant, isMeasured: boolean): Promise<void> {
  const { store, bot, cpuMicroseconds, turns } = variant;
  let ids: ConversationId[] = [];
  for (let group = 0; group < GROUPS_PER_ROUND; group += 1) {
    if (group % TURNS === 0) ids = Array.from({ length: GROUP }, newConversation);
    else {
      if (variant.other) await write(variant.other, bot, [newConversation()]);
      const find = await cpuOf(() => Promise.all(ids.map((id) => store.findConversation(id, bot, 0))));
      if (isMeasured) cpuMicroseconds.find += find;
      if (isMeasured) turns.found += GROUP;
    }
    const written = await cpuOf(() => write(store, bot, ids));
    if (isMeasured) cpuMicroseconds.write += written;
    if (isMeasured) turns.written += GROUP;
  }
}

const newConversation = () => newConversationId(Date.now(), secureRandomBytes);

function write(store: SqliteStore, bot: BotKey, ids: readonly ConversationId[]): Promise<unknown> {
  const at = Date.now();
  return Promise.all(
    ids.map((conversationId) => {
      const requestId = newRequestId(at, secureRandomBytes);
      return store.recordTurn({ bot, conversationId, turn: turnWith({ requestId, at, response: RESPONSE }) });
    }),
  );
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
