import type { Database } from "better-sqlite3";

import type { EpochMs } from "../domain/time.ts";
import {
  ACTIONS_KEPT_MS,
  type AskedAction,
  type ClaimOutcome,
  type ENDED_ACTIONS,
  MOST_FAILED_PROOFS,
  PROOF_WINDOW_MS,
  type ProofTry,
} from "./interface/actions.ts";

/** What servers agree on about actions, in SQLite. Each method is a part of the caller's transaction. */
export class ActionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  ask({ id, hash, at }: AskedAction): void {
    this.#db.prepare("INSERT INTO actions (id, hash, state, at) VALUES (?, ?, 'asked', ?)").run(id, hash, at);
  }

  claim({ id, hash }: AskedAction, notBefore: EpochMs): ClaimOutcome {
    const { changes } = this.#db
      .prepare("UPDATE actions SET state = 'begun' WHERE id = ? AND hash = ? AND state = 'asked' AND at >= ?")
      .run(id, hash, notBefore);
    if (changes === 1) return "claimed";
    const state = this.#db
      .prepare<[string], string>("SELECT state FROM actions WHERE id = ?")
      .pluck()
      .get(id);
    return state === undefined || state === "asked" ? "void" : "begun";
  }

  end(id: string, state: (typeof ENDED_ACTIONS)[number]): void {
    this.#db.prepare("UPDATE actions SET state = ? WHERE id = ? AND state = 'begun'").run(state, id);
  }

  reserveProof({ id, conversation, caller, at }: ProofTry): boolean {
    const since = at - PROOF_WINDOW_MS;
    const countOf = (column: "conversation" | "caller", value: string | Uint8Array) =>
      this.#db
        .prepare<[string | Uint8Array, EpochMs], number>(
          `SELECT count(*) FROM failed_proofs WHERE ${column} = ? AND at > ?`,
        )
        .pluck()
        .get(value, since)!;
    const isFull =
      countOf("conversation", conversation) >= MOST_FAILED_PROOFS.conversation ||
      countOf("caller", caller) >= MOST_FAILED_PROOFS.caller;
    if (isFull) return false;
    this.#db
      .prepare(
        "INSERT INTO failed_proofs (id, conversation, caller, at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
      )
      .run(id, conversation, caller, at);
    return true;
  }

  releaseProof(id: string): void {
    this.#db.prepare("DELETE FROM failed_proofs WHERE id = ?").run(id);
  }
}

/** Deletes what is no longer of use. Part of the caller's transaction. @returns how many rows. */
export function deleteOldActions(db: Database, now: EpochMs, limit: number): number {
  const { changes: actions } = db
    .prepare("DELETE FROM actions WHERE id IN (SELECT id FROM actions WHERE at < ? ORDER BY at LIMIT ?)")
    .run(now - ACTIONS_KEPT_MS, limit);
  const { changes: proofs } = db
    .prepare(
      "DELETE FROM failed_proofs WHERE id IN (SELECT id FROM failed_proofs WHERE at <= ? ORDER BY at LIMIT ?)",
    )
    .run(now - PROOF_WINDOW_MS, limit);
  return actions + proofs;
}
