import type { Database } from "better-sqlite3";

import type { EpochMs } from "../../domain/time.ts";
import type { TrainedModel } from "../interface/bots.ts";
import { UNUSED_MODEL_KEPT_MS } from "../interface/vectors.ts";
import { SqliteClock } from "./clock.ts";
import { saveSentences } from "./vectors.ts";

/** The bytes of a trained model. */
export function findIntentModel(db: Database, id: string): Uint8Array | undefined {
  return db.prepare<[string], Buffer>("SELECT bytes FROM intent_models WHERE id = ?").pluck().get(id);
}

/** What the examples of a trained model mean to an encoder, in bytes; empty where there is nothing to encode. */
export function findSentenceModel(db: Database, id: string, encoder: string): Uint8Array | undefined {
  return db
    .prepare<[string, string], Buffer>(
      `SELECT sentence_models.bytes FROM sentence_models
       JOIN intent_models ON intent_models.key = sentence_models.intent_model WHERE intent_models.id = ? AND encoder = ?`,
    )
    .pluck()
    .get(id, encoder);
}

export function hasIntentModel(db: Database, id: string): boolean {
  return db.prepare("SELECT 1 FROM intent_models WHERE id = ?").get(id) !== undefined;
}

/** Part of the caller's transaction. A model that is there already stays: its id says what it was trained from. */
export function saveIntentModel(
  db: Database,
  id: string,
  { model, sentences }: TrainedModel,
  encoder: string,
): void {
  db.prepare("INSERT INTO intent_models (id, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING").run(id, model);
  if (sentences) saveSentences(db, id, { encoder, bytes: sentences });
}

/**
 * Part of the caller's transaction. Deletes models that no bot has had for {@link UNUSED_MODEL_KEPT_MS}; none where the clock may
 * have jumped.
 */
export function deleteUnusedIntentModels(db: Database, now: EpochMs): void {
  const isUsed = "id IN (SELECT intent_model FROM bots WHERE intent_model NOT NULL)";
  db.prepare(`UPDATE intent_models SET unused_since = NULL WHERE unused_since NOT NULL AND ${isUsed}`).run();
  db.prepare(`UPDATE intent_models SET unused_since = ? WHERE unused_since IS NULL AND NOT ${isUsed}`).run(
    now,
  );
  if (!new SqliteClock(db).state(now).isTrusted) return;
  db.prepare("DELETE FROM intent_models WHERE unused_since < ?").run(now - UNUSED_MODEL_KEPT_MS);
}
