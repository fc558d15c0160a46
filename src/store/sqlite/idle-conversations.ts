import type { Database } from "better-sqlite3";

import type { EpochMs } from "../../domain/time.ts";
import { eraseWords } from "./analytics/word-index.ts";

/** Part of the caller's transaction. Deletes up to `limit` conversations without a turn at or after `notBefore`. @returns how many. */
export function deleteIdleConversations(db: Database, notBefore: EpochMs, limit: number): number {
  const { changes } = db
    .prepare(`
      DELETE FROM conversations WHERE key IN (
        SELECT idle.key FROM bots CROSS JOIN conversations AS idle ON idle.bot_key = bots.key
        WHERE idle.created_at < ?
          AND NOT EXISTS (SELECT 1 FROM turns WHERE conversation_key = idle.key AND at >= ?)
        LIMIT ?)`)
    .run(notBefore, notBefore, limit);
  eraseWords(db);
  return changes;
}
