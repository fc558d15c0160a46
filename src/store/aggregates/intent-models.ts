import type { EpochMs } from "../../domain/time.ts";
import { clockState } from "../clock-guard.ts";
import type { TrainedModel } from "../interface/bots.ts";
import { UNUSED_MODEL_KEPT_MS } from "../interface/vectors.ts";
import { byEngine, sql } from "../sql/sql.ts";
import { first, run, type Work } from "../sql/work.ts";
import { readHeartbeat } from "./clock.ts";

/** The column of `intent_models` that the column `intent_model` refers to. */
export const INTENT_MODEL_KEY = byEngine({ sqlite: "intent_models.key", postgres: "intent_models.id" });

/** Locks the model against deletion until the end of the transaction. */
const KEEPING_MODEL = byEngine({ sqlite: "", postgres: "FOR KEY SHARE" });

/** The bytes of a trained model. */
export function* findIntentModel(id: string): Work<Uint8Array | undefined> {
  return (yield* first<{ bytes: Uint8Array }>(sql`SELECT bytes FROM intent_models WHERE id = ${id}`))?.bytes;
}

/** The encoder's vectors of a trained model's examples, in bytes; empty if there is nothing to encode. */
export function* findSentenceModel(id: string, encoder: string): Work<Uint8Array | undefined> {
  const row = yield* first<{ bytes: Uint8Array }>(sql`
    SELECT sentence_models.bytes FROM sentence_models JOIN intent_models ON ${INTENT_MODEL_KEY} = sentence_models.intent_model
    WHERE intent_models.id = ${id} AND encoder = ${encoder}`);
  return row?.bytes;
}

export function* hasIntentModel(id: string): Work<boolean> {
  return (yield* first(sql`SELECT 1 AS one FROM intent_models WHERE id = ${id}`)) !== undefined;
}

/** Keeps an existing model: the id is a hash of the training data. */
export function* saveIntentModel(
  id: string,
  { model, sentences }: TrainedModel,
  encoder: string,
): Work<void> {
  yield* run(sql`INSERT INTO intent_models (id, bytes) VALUES (${id}, ${model}) ON CONFLICT DO NOTHING`);
  if (sentences) yield* saveSentences(id, encoder, sentences);
}

/** Keeps existing vectors: every server computes the same ones. */
export function* saveSentences(intentModelId: string, encoder: string, bytes: Uint8Array): Work<void> {
  yield* noteEncoder(encoder);
  yield* run(sql`
    INSERT INTO sentence_models (intent_model, encoder, bytes)
    SELECT ${INTENT_MODEL_KEY}, ${encoder}, ${bytes} FROM intent_models WHERE id = ${intentModelId} ${KEEPING_MODEL}
    ON CONFLICT DO NOTHING`);
}

/** Registers an encoder. To be called before its first vector is stored. */
export function* noteEncoder(version: string): Work<void> {
  yield* run(sql`INSERT INTO encoders (version) VALUES (${version}) ON CONFLICT DO NOTHING`);
}

/** Deletes models that no bot has used for {@link UNUSED_MODEL_KEPT_MS}; deletes nothing if the clock may have jumped. */
export function* deleteUnusedIntentModels(now: EpochMs): Work<void> {
  const isUsed = sql`id IN (SELECT intent_model FROM bots WHERE intent_model IS NOT NULL)`;
  yield* run(sql`UPDATE intent_models SET unused_since = NULL WHERE unused_since IS NOT NULL AND ${isUsed}`);
  yield* run(
    sql`UPDATE intent_models SET unused_since = ${now} WHERE unused_since IS NULL AND NOT (${isUsed})`,
  );
  if (!clockState(yield* readHeartbeat(), now, 0).isTrusted) return;
  yield* run(sql`DELETE FROM intent_models WHERE unused_since < ${now - UNUSED_MODEL_KEPT_MS}`);
}
