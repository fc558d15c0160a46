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
import { byEngine, type Sql, sql } from "../sql/sql.ts";
import { all, type Engine, first, run, type Work } from "../sql/work.ts";

/** Tries of one caller or one conversation are counted one after the other, so that two at once cannot pass the limit. SQLite has one writer at a time. */
const LOCK_PROOFS = byEngine({
  sqlite: "SELECT 1",
  postgres: "SELECT pg_advisory_xact_lock(hashtextextended('failed proofs', 0))::text",
});

const UNLESS_TAKEN = byEngine({ sqlite: "", postgres: "FOR UPDATE SKIP LOCKED" });

/** The state of actions that servers share. */
export class SqlActions implements Actions {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async ask({ id, hash, at }: AskedAction): Promise<void> {
    const statement = sql`
      INSERT INTO actions (id, hash, state, at) VALUES (${id}, ${hash}, 'asked', ${at}) ON CONFLICT (id) DO NOTHING`;
    await this.#engine.write(() => run(statement));
  }

  /**
   * If the answer to the UPDATE is lost, the claim may have been stored although no server knows of it. The action then stays undone:
   * that is better than an action that is done twice.
   */
  claim(action: AskedAction, notBefore: EpochMs): Promise<ClaimOutcome> {
    return this.#engine.write(() => claim(action, notBefore));
  }

  async end(id: string, state: (typeof ENDED_ACTIONS)[number]): Promise<void> {
    const statement = sql`UPDATE actions SET state = ${state} WHERE id = ${id} AND state = 'begun'`;
    await this.#engine.write(() => run(statement));
  }

  reserveProof(proof: ProofTry): Promise<boolean> {
    return this.#engine.write(() => reserveProof(proof));
  }

  async releaseProof(id: string): Promise<void> {
    await this.#engine.write(() => run(sql`DELETE FROM failed_proofs WHERE id = ${id}`));
  }
}

function* claim({ id, hash }: AskedAction, notBefore: EpochMs): Work<ClaimOutcome> {
  const claimed = yield* run(sql`
    UPDATE actions SET state = 'begun' WHERE id = ${id} AND hash = ${hash} AND state = 'asked' AND at >= ${notBefore}`);
  if (claimed === 1) return "claimed";
  const row = yield* first<{ state: string }>(sql`SELECT state FROM actions WHERE id = ${id}`);
  return row === undefined || row.state === "asked" ? "void" : "begun";
}

function* reserveProof({ id, conversation, caller, at }: ProofTry): Work<boolean> {
  yield* all(sql`${LOCK_PROOFS}`);
  const countOf = (condition: Sql) =>
    sql`(SELECT count(*) FROM failed_proofs WHERE ${condition} AND at > ${at - PROOF_WINDOW_MS})`;
  const failed = yield* first<{ conversation: number; caller: number }>(sql`
    SELECT ${countOf(sql`conversation = ${conversation}`)} AS conversation, ${countOf(sql`caller = ${caller}`)} AS caller`);
  const { conversation: ofConversation, caller: ofCaller } = failed!;
  if (ofConversation >= MOST_FAILED_PROOFS.conversation || ofCaller >= MOST_FAILED_PROOFS.caller)
    return false;
  yield* run(sql`
    INSERT INTO failed_proofs (id, conversation, caller, at) VALUES (${id}, ${conversation}, ${caller}, ${at})
    ON CONFLICT (id) DO UPDATE SET at = excluded.at`);
  return true;
}

/** Deletes actions and failed proofs whose time is over. @returns how many rows. */
export function* deleteOldActions(now: EpochMs, most: number): Work<number> {
  const actions = yield* run(sql`
    DELETE FROM actions WHERE id IN (
      SELECT id FROM actions WHERE at < ${now - ACTIONS_KEPT_MS} ORDER BY at LIMIT ${most} ${UNLESS_TAKEN})`);
  const proofs = yield* run(sql`
    DELETE FROM failed_proofs WHERE id IN (
      SELECT id FROM failed_proofs WHERE at <= ${now - PROOF_WINDOW_MS} ORDER BY at LIMIT ${most} ${UNLESS_TAKEN})`);
  return actions + proofs;
}
