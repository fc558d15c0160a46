import { Sqlite } from "../../src/store/sqlite/driver.ts";
import { CAP, type TortureFolder } from "./folder.ts";
import type { Tally } from "./tally.ts";

/** A message that a caller got a 200 for. */
export interface Acknowledged {
  botId: string;
  conversationId: string;
  /** Undefined where the answer was a repetition under an idempotency key. */
  requestId?: string;
  input: string;
  response: string;
}

export interface StoredTurn {
  botId: string;
  conversationId: string;
  requestId: string;
  state: "complete" | "unanswered" | "cut";
  input: string;
  response: string;
}

export interface BotCount {
  botId: string;
  used: number;
  answered: number;
  inFlight: number;
}

/** What a database file holds, as far as callers have been told of it. */
interface Stored {
  turns: Map<string, StoredTurn[]>;
  counts: BotCount[];
  faults: string[];
}

const TURNS = `
  SELECT bots.id AS botId, conversations.id AS conversationId, request_id AS requestId, state, input, response
  FROM turns JOIN conversations ON conversations.key = conversation_key JOIN bots ON bots.key = bot_key`;

/** What was passed on to a person is answered and not counted. */
export const IS_COUNTED = `state <> 'unanswered' AND receipt NOT LIKE '%"handed-over"%'`;

const COUNTS = `
  SELECT id AS botId,
    (SELECT coalesce(sum(messages), 0) FROM monthly_usage WHERE bot_key = bots.key) AS used,
    (SELECT count(*) FROM conversations JOIN turns ON conversation_key = conversations.key
      WHERE bot_key = bots.key AND ${IS_COUNTED}) AS answered,
    (SELECT count(*) FROM turns_in_flight WHERE bot_key = bots.key) AS inFlight
  FROM bots`;

/** Reads a database at one moment; also one that a server writes to. */
function readStored(file: string): Stored {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    return db.transaction(() => {
      const turns = db.prepare(TURNS).all() as StoredTurn[];
      return {
        turns: Map.groupBy(turns, ({ conversationId }) => conversationId),
        counts: db.prepare(COUNTS).all() as BotCount[],
        faults: faultsOf(db),
      };
    })();
  } finally {
    db.close();
  }
}

function faultsOf(db: InstanceType<typeof Sqlite>): string[] {
  const integrity = db.pragma("integrity_check") as { integrity_check: string }[];
  const orphans = db.pragma("foreign_key_check") as { table: string }[];
  return [
    ...integrity.map((row) => row.integrity_check).filter((text) => text !== "ok"),
    ...orphans.map(({ table }) => `a row of ${table} leads nowhere`),
  ];
}

/** How a database falls short of what callers were told; each is noted under the kind that is given. */
export interface Shortfalls {
  missing: keyof Tally["wrong"];
  place: string;
}

/** Compares a database with what was acknowledged, and with itself: every counter with the turns that it counts. */
export function compare(
  file: string,
  acknowledged: readonly Acknowledged[],
  tally: Tally,
  { missing, place }: Shortfalls,
): void {
  const { turns, counts, faults } = readStored(file);
  for (const fault of faults) tally.note("damaged", `${place}: ${fault}`);
  for (const message of acknowledged) {
    if (!turns.get(message.conversationId)?.some((turn) => holds(turn, message))) {
      tally.note(missing, `${place}: ${JSON.stringify(message)}`);
    }
  }
  compareCounts(counts, acknowledged, tally, { place });
}

/** Whether a turn is the one that a caller was told of. */
export function holds(turn: StoredTurn, message: Acknowledged): boolean {
  return (
    turn.state === "complete" &&
    turn.botId === message.botId &&
    turn.input === message.input &&
    turn.response === message.response &&
    (message.requestId === undefined || turn.requestId === message.requestId)
  );
}

/** A message is counted when it was answered, or while it is being answered; a capped bot counts no more than its cap. */
export function compareCounts(
  counts: readonly BotCount[],
  acknowledged: readonly Acknowledged[],
  tally: Tally,
  { place, cap = CAP }: { place: string; cap?: number },
): void {
  const told = Map.groupBy(acknowledged, ({ botId }) => botId);
  for (const { botId, used, answered, inFlight } of counts) {
    if (used !== answered + inFlight) {
      const sum = `${used} counted, ${answered} answered, ${inFlight} in flight`;
      tally.note("miscounted", `${place}: ${botId}: ${sum}`);
    }
    if (!botId.startsWith("capped")) continue;
    const most = Math.max(used, answered, distinct(told.get(botId) ?? []));
    tally.note("capOvershoot", `${place}: ${botId}: ${most} of ${cap}`, Math.max(0, most - cap));
  }
}

/** A bot counts no more messages than it was sent. */
export async function compareSent(
  folder: TortureFolder,
  sent: ReadonlyMap<string, number>,
  tally: Tally,
  place: string,
): Promise<void> {
  const counts = await folder.rows<{ id: string; used: number | string }>(
    "SELECT id, sum(messages) AS used FROM bots JOIN monthly_usage ON bot_key = bots.key GROUP BY id",
  );
  for (const { id, used } of counts) {
    const beyond = Number(used) - (sent.get(id) ?? Infinity);
    if (beyond > 0) tally.note("miscounted", `${place}: ${id}: ${beyond} more than it was sent`);
  }
}

function distinct(messages: readonly Acknowledged[]): number {
  return new Set(messages.map(({ requestId, conversationId }) => requestId ?? conversationId)).size;
}
