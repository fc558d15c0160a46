import type { Database } from "better-sqlite3";

import type { HandoffEvent } from "../../domain/handoff.ts";
import { type HandoffEventRow, eventFromRow } from "../handoff-rows.ts";
import type { WatchedEvents } from "../interface/handoffs.ts";

/** What was said while a person wrote. Writes are parts of the caller's transaction. */
export class HandoffEvents {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns the event with its place; undefined where the conversation is gone. */
  add(
    conversationId: string,
    { at, kind, name, text }: Omit<HandoffEvent, "number">,
    keyHash?: Uint8Array,
  ): HandoffEvent | undefined {
    const row = this.#db
      .prepare<unknown[], HandoffEventRow>(`
        INSERT INTO handoff_events (conversation_key, number, at, kind, name, text, key_hash)
        SELECT key, 1 + coalesce((SELECT max(number) FROM handoff_events WHERE conversation_key = conversations.key), 0), ?, ?, ?, ?, ?
        FROM conversations WHERE id = ? RETURNING number, at, kind, name, text`)
      .get(at, kind, name ?? null, text, keyHash ?? null, conversationId);
    return row && eventFromRow(row);
  }

  findByKey(conversationId: string, keyHash: Uint8Array): HandoffEvent | undefined {
    const row = this.#db
      .prepare<[string, Uint8Array], HandoffEventRow>(`
        SELECT number, at, kind, name, text FROM handoff_events JOIN conversations ON conversations.key = conversation_key
        WHERE conversations.id = ? AND key_hash = ?`)
      .get(conversationId, keyHash);
    return row && eventFromRow(row);
  }

  listAll(conversationId: string): HandoffEvent[] {
    const all = [{ conversationId, after: 0 }];
    return this.list(all, -1).get(conversationId) ?? [];
  }

  /** @param limit of each conversation; -1: all. */
  list(watched: readonly WatchedEvents[], limit: number): Map<string, HandoffEvent[]> {
    const select = this.#db.prepare<[string, number, number], HandoffEventRow>(`
      SELECT number, at, kind, name, text FROM handoff_events JOIN conversations ON conversations.key = conversation_key
      WHERE conversations.id = ? AND number > ? ORDER BY number LIMIT ?`);
    return new Map(
      watched.map(({ conversationId, after }) => [
        conversationId,
        select.all(conversationId, after, limit).map(eventFromRow),
      ]),
    );
  }
}
