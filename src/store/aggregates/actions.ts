import type { EpochMs } from "../../domain/time.ts";
import {
  ACTIONS_KEPT_MS,
  type AskedAction,
  type ClaimOutcome,
  type ENDED_ACTIONS,
  MAX_TRY_MS,
  MAX_FAILED_PROOFS,
  PROOF_WINDOW_MS,
  type ProofOutcome,
  type ProofTry,
} from "../interface/actions.ts";
import { byEngine, type Sql, sql } from "../sql/sql.ts";
import { all, first, run, type Work } from "../sql/work.ts";
import { StorePart } from "./part.ts";

/**
 * Tries of one caller or one conversation are counted one after the other, so that two at once cannot pass the limit. SQLite has one writer
 * at a time.
 */
const LOCK_PROOFS = byEngine({
  sqlite: "SELECT 1",
  postgres: "SELECT pg_advisory_xact_lock(hashtextextended('failed proofs', 0))::text",
});

const UNLESS_TAKEN = byEngine({ sqlite: "", postgres: "FOR UPDATE SKIP LOCKED" });

/** State of actions that servers share: each action is done once, and failed proofs are limited. */
export class SqlActions extends StorePart {
  async ask({ id, hash, at }: AskedAction): Promise<void> {
    const statement = sql`
      INSERT INTO actions (id, hash, state, at) VALUES (${id}, ${hash}, 'asked', ${at}) ON CONFLICT (id) DO NOTHING`;
    await this.engine.write(() => run(statement));
  }

  /**
   * Claims an action by one conditional UPDATE. If its answer is lost, the claim may have been stored although no server knows of it. The
   * action then stays undone: that is better than an action that is done twice.
   *
   * @param notBefore least instant at which it was asked.
   */
  claim(action: AskedAction, notBefore: EpochMs): Promise<ClaimOutcome> {
    return this.engine.write(() => claim(action, notBefore));
  }

  async end(id: string, state: (typeof ENDED_ACTIONS)[number]): Promise<void> {
    const statement = sql`UPDATE actions SET state = ${state} WHERE id = ${id} AND state = 'begun'`;
    await this.engine.write(() => run(statement));
  }

  /** Nothing was called: the next yes may claim it. */
  async unclaim(id: string): Promise<void> {
    const statement = sql`UPDATE actions SET state = 'asked' WHERE id = ${id} AND state = 'begun'`;
    await this.engine.write(() => run(statement));
  }

  /** Counts a try until it has failed, is released or must be over; the same try again counts once. Otherwise nothing is counted. */
  reserveProof(proof: ProofTry): Promise<ProofOutcome> {
    return this.engine.write(() => reserveProof(proof));
  }

  async failProof(id: string): Promise<void> {
    await this.engine.write(() => run(sql`UPDATE failed_proofs SET state = 'failed' WHERE id = ${id}`));
  }

  /** The proof was right, or nothing compared it. */
  async releaseProof(id: string): Promise<void> {
    await this.engine.write(() => run(sql`DELETE FROM failed_proofs WHERE id = ${id}`));
  }
}

function* claim({ id, hash }: AskedAction, notBefore: EpochMs): Work<ClaimOutcome> {
  const claimed = yield* run(sql`
    UPDATE actions SET state = 'begun' WHERE id = ${id} AND hash = ${hash} AND state = 'asked' AND at >= ${notBefore}`);
  if (claimed === 1) return "claimed";
  const row = yield* first<{ state: string }>(sql`SELECT state FROM actions WHERE id = ${id}`);
  return row === undefined || row.state === "asked" ? "void" : "begun";
}

function* reserveProof({ id, conversation, caller, at }: ProofTry): Work<ProofOutcome> {
  yield* all(sql`${LOCK_PROOFS}`);
  const ofConversation = yield* countProofs(sql`conversation = ${conversation}`, at);
  const ofCaller = yield* countProofs(sql`caller = ${caller}`, at);
  const most = MAX_FAILED_PROOFS;
  if (ofConversation.failed >= most.conversation || ofCaller.failed >= most.caller) return "too-many";
  const isFull = ({ failed, tried }: ProofCount, limit: number) => failed + tried >= limit;
  if (isFull(ofConversation, most.conversation) || isFull(ofCaller, most.caller)) return "busy";
  yield* run(sql`
    INSERT INTO failed_proofs (id, conversation, caller, state, at) VALUES (${id}, ${conversation}, ${caller}, 'trying', ${at})
    ON CONFLICT (id) DO UPDATE SET at = excluded.at`);
  return "reserved";
}

interface ProofCount {
  failed: number;
  /** Being tried. */
  tried: number;
}

function* countProofs(condition: Sql, at: EpochMs): Work<ProofCount> {
  const counted = yield* first<ProofCount>(sql`
    SELECT count(CASE WHEN state = 'failed' THEN 1 END) AS failed,
      count(CASE WHEN state = 'trying' AND at > ${at - MAX_TRY_MS} THEN 1 END) AS tried
    FROM failed_proofs WHERE ${condition} AND at > ${at - PROOF_WINDOW_MS}`);
  return counted!;
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
