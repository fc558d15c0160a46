import type { EpochMs } from "../../domain/time.ts";
import { clockState } from "../clock-guard.ts";
import type { TrainedModel } from "../interface/bots.ts";
import { UNUSED_MODEL_KEPT_MS } from "../interface/vectors.ts";
import { readHeartbeat } from "./clock.ts";
import type { Queries } from "./connection.ts";
import { saveSentences } from "./vectors.ts";

export async function findIntentModel(queries: Queries, id: string): Promise<Uint8Array | undefined> {
  return bytesOf(await queries.query("SELECT bytes FROM intent_models WHERE id = $1", [id]));
}

/** What the examples of a trained model mean to an encoder, in bytes; empty where there is nothing to encode. */
export async function findSentenceModel(
  queries: Queries,
  id: string,
  encoder: string,
): Promise<Uint8Array | undefined> {
  return bytesOf(
    await queries.query("SELECT bytes FROM sentence_models WHERE intent_model = $1 AND encoder = $2", [
      id,
      encoder,
    ]),
  );
}

function bytesOf([row]: { bytes: Uint8Array }[]): Uint8Array | undefined {
  return row?.bytes;
}

export async function hasModel(queries: Queries, id: string): Promise<boolean> {
  return (await queries.query("SELECT 1 FROM intent_models WHERE id = $1", [id])).length > 0;
}

/** Part of the caller's transaction. A model that is there already stays: its id says what it was trained from. */
export async function saveModel(
  queries: Queries,
  id: string,
  { model, sentences }: TrainedModel,
  encoder: string,
): Promise<void> {
  await queries.query("INSERT INTO intent_models (id, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    id,
    model,
  ]);
  if (sentences) await saveSentences(queries, id, { encoder, bytes: sentences });
}

const IS_USED = "EXISTS (SELECT FROM bots WHERE bots.intent_model = intent_models.id)";

/** Part of the caller's transaction. Deletes models that no bot has had for a while; none where the clock may have jumped. */
export async function deleteUnusedModels(queries: Queries, now: EpochMs): Promise<void> {
  await queries.query(
    `UPDATE intent_models SET unused_since = NULL WHERE unused_since IS NOT NULL AND ${IS_USED}`,
  );
  await queries.query(
    `UPDATE intent_models SET unused_since = $1 WHERE unused_since IS NULL AND NOT ${IS_USED}`,
    [now],
  );
  if (!clockState(await readHeartbeat(queries), now, 0).isTrusted) return;
  await queries.query("DELETE FROM intent_models WHERE unused_since < $1", [now - UNUSED_MODEL_KEPT_MS]);
}
