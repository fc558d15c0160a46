import type { EpochMs } from "../../domain/time.ts";
import {
  ACTIONS_KEPT_MS,
  type Actions,
  type AskedAction,
  type ClaimOutcome,
  type ENDED_ACTIONS,
  MOST_FAILED_PROOFS,
  PROOF_WINDOW_MS,
  type ProofTry,
} from "../interface/actions.ts";
import type { Queries } from "./connection.ts";
import type { Pool } from "./pool.ts";

const CLAIM = `
UPDATE actions SET state = 'begun' WHERE id = $1 AND hash = $2 AND state = 'asked' AND at >= $3 RETURNING 1`;

/** Tries of one caller or one conversation are counted one after the other; locks are taken in the same order by all. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('failed proofs', 0))";

const RESERVE = `
INSERT INTO failed_proofs (id, conversation, caller, at)
SELECT $1::text, $2::text, $3::bytea, $4::bigint
WHERE (SELECT count(*) FROM failed_proofs WHERE conversation = $2::text AND at > $5) < ${MOST_FAILED_PROOFS.conversation}
  AND (SELECT count(*) FROM failed_proofs WHERE caller = $3::bytea AND at > $5) < ${MOST_FAILED_PROOFS.caller}
ON CONFLICT (id) DO UPDATE SET at = excluded.at
RETURNING 1`;

/** What servers agree on about actions, in PostgreSQL. */
export class PostgresActions implements Actions {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async ask({ id, hash, at }: AskedAction): Promise<void> {
    await this.#pool.query(
      "INSERT INTO actions (id, hash, state, at) VALUES ($1, $2, 'asked', $3) ON CONFLICT (id) DO NOTHING",
      [id, hash, at],
    );
  }

  /**
   * Where the answer to the update was lost, it may have been made: then nobody is told that it was claimed. That leaves an action undone, and none is done
   * twice.
   */
  claim({ id, hash }: AskedAction, notBefore: EpochMs): Promise<ClaimOutcome> {
    return this.#pool.transaction(async (queries) => {
      const claimed = await queries.query(CLAIM, [id, hash, notBefore]);
      if (claimed.length > 0) return "claimed";
      const [row] = await queries.query<{ state: string }>("SELECT state FROM actions WHERE id = $1", [id]);
      return row === undefined || row.state === "asked" ? "void" : "begun";
    });
  }

  async end(id: string, state: (typeof ENDED_ACTIONS)[number]): Promise<void> {
    await this.#pool.query("UPDATE actions SET state = $2 WHERE id = $1 AND state = 'begun'", [id, state]);
  }

  reserveProof({ id, conversation, caller, at }: ProofTry): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      await queries.query(LOCK);
      const reserved = await queries.query(RESERVE, [id, conversation, caller, at, at - PROOF_WINDOW_MS]);
      return reserved.length > 0;
    });
  }

  async releaseProof(id: string): Promise<void> {
    await this.#pool.query("DELETE FROM failed_proofs WHERE id = $1", [id]);
  }
}

const step = (table: "actions" | "failed_proofs", condition: string) => `
DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${condition} ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1`;

/** Deletes what is no longer of use; part of the caller's transaction. @returns how many rows. */
export async function deleteOldActions(queries: Queries, now: EpochMs, limit: number): Promise<number> {
  const actions = await queries.query(step("actions", "at < $1"), [now - ACTIONS_KEPT_MS, limit]);
  const proofs = await queries.query(step("failed_proofs", "at <= $1"), [now - PROOF_WINDOW_MS, limit]);
  return actions.length + proofs.length;
}
