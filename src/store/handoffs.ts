import { type Static, Type } from "@sinclair/typebox";
import type { Database } from "better-sqlite3";

import type { Change } from "../domain/change.ts";
import { HANDOFF_FIELDS, HandoffRequest } from "../domain/handoff.ts";
import type { EpochMs } from "../domain/time.ts";
import type { ChangeRecorder } from "./changes/change-log.ts";
import type { HandoffFilter, HandoffOutcome, NewHandoff, StoredHandoff } from "./interface/handoffs.ts";
import { JsonColumn } from "./json-column.ts";
import type { OutboxTable } from "./outbox.ts";

const FIELDS = new JsonColumn("handoffs.fields", Type.Pick(HandoffRequest, [...HANDOFF_FIELDS]));

/** A hand-off as both engines give it. */
export interface HandoffRow extends Pick<StoredHandoff, "id" | "state"> {
  conversation_id: StoredHandoff["conversationId"];
  bot_id: StoredHandoff["botId"];
  fields: string;
  shares_transcript: number;
  created_at: number;
  updated_at: number;
  body_hash: Uint8Array | null;
}

export function handoffFromRow(row: HandoffRow): StoredHandoff {
  const fields: Static<typeof HandoffRequest> | StoredHandoff["fields"] = FIELDS.parse(row.fields, row.id);
  return {
    id: row.id,
    botId: row.bot_id,
    conversationId: row.conversation_id,
    state: row.state,
    fields,
    sharesTranscript: row.shares_transcript === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What is told of a hand-off that was dealt with. */
export function closingOf({ id, botId, state }: StoredHandoff): Change {
  return {
    kind: "handoff.closed",
    subject: id,
    bots: [botId],
    fields: [{ field: "state", before: state, after: "closed" }],
  };
}

/** What a key that was used before comes to. */
export function repeatedHandoff(row: HandoffRow, { idempotency }: NewHandoff): HandoffOutcome {
  const isSame = Buffer.from(row.body_hash ?? []).equals(idempotency!.bodyHash);
  return isSame ? { outcome: "repeated", handoff: handoffFromRow(row) } : { outcome: "key_reused" };
}

const SELECT_HANDOFF = `
  SELECT handoffs.*, conversations.id AS conversation_id, bots.id AS bot_id
  FROM handoffs JOIN conversations ON conversations.key = conversation_key JOIN bots ON bots.key = bot_key`;

/** Visitors who asked for a person. Writes are parts of the caller's transaction. */
export class HandoffTable {
  readonly #db: Database;
  readonly #outbox: OutboxTable;
  readonly #changes: ChangeRecorder;

  constructor(db: Database, outbox: OutboxTable, changes: ChangeRecorder) {
    this.#db = db;
    this.#changes = changes;
    this.#outbox = outbox;
  }

  open(handoff: NewHandoff): HandoffOutcome {
    const { idempotency, conversationId, bot } = handoff;
    const earlier = idempotency && this.#findWhere("key_hash = ?", idempotency.keyHash);
    if (earlier) return repeatedHandoff(earlier, handoff);
    const isThere = this.#db.prepare("SELECT 1 FROM bots WHERE key = ?").get(bot) !== undefined;
    if (!isThere) return { outcome: "bot_deleted" };
    this.#db
      .prepare(
        "INSERT INTO conversations (id, bot_key, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
      )
      .run(conversationId, bot, handoff.at);
    const open = this.#findWhere("conversations.id = ? AND state <> 'closed'", conversationId);
    if (open) return { outcome: "already_open", handoff: handoffFromRow(open) };
    this.#insert(handoff);
    const { id: subject, at, deliveries } = handoff;
    this.#outbox.add(deliveries, { conversationId, subject, at });
    return { outcome: "opened", handoff: this.find(handoff.id)! };
  }

  find(id: string): StoredHandoff | undefined {
    const row = this.#findWhere("handoffs.id = ?", id);
    return row && handoffFromRow(row);
  }

  /** The latest first: ids are in the order of time. */
  list({ bot, state, before, limit }: HandoffFilter): StoredHandoff[] {
    return this.#db
      .prepare<unknown[], HandoffRow>(`
        ${SELECT_HANDOFF} WHERE ($bot IS NULL OR bot_key = $bot) AND ($state IS NULL OR state = $state)
          AND ($before IS NULL OR handoffs.id < $before)
        ORDER BY handoffs.id DESC LIMIT $limit`)
      .all({ bot: bot ?? null, state: state ?? null, before: before ?? null, limit })
      .map(handoffFromRow);
  }

  /** @returns false when there is no such hand-off, or it is closed. */
  close(id: string, at: EpochMs): boolean {
    const open = this.find(id);
    if (!open || open.state === "closed") return false;
    this.#db.prepare("UPDATE handoffs SET state = 'closed', updated_at = ? WHERE id = ?").run(at, id);
    this.#changes.append(closingOf(open));
    return true;
  }

  #findWhere(condition: string, value: string | Uint8Array): HandoffRow | undefined {
    return this.#db.prepare<[typeof value], HandoffRow>(`${SELECT_HANDOFF} WHERE ${condition}`).get(value);
  }

  #insert({ id, conversationId, fields, sharesTranscript, at, idempotency }: NewHandoff): void {
    this.#db
      .prepare(`
        INSERT INTO handoffs
          (id, conversation_key, state, fields, shares_transcript, created_at, updated_at, key_hash, body_hash)
        SELECT ?, key, 'open', ?, ?, ?, ?, ?, ? FROM conversations WHERE id = ?`)
      .run(
        id,
        JSON.stringify(fields),
        Number(sharesTranscript),
        at,
        at,
        idempotency?.keyHash ?? null,
        idempotency?.bodyHash ?? null,
        conversationId,
      );
  }
}
