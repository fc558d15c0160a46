import type { Database, Transaction } from "better-sqlite3";

import { sqliteCode, storageFailure } from "./database.ts";

/** One transaction's size and the time it held the loop. */
export interface CommitObservation {
  groupSize: number;
  milliseconds: number;
}

interface CommitQueueOptions {
  /** How long a group waits for another process's write before it fails with STORAGE_UNAVAILABLE. */
  busyDeadlineMs?: number;
  onCommit?: (observation: CommitObservation) => void;
}

interface PendingWork {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

const BUSY_RETRY_MS = 4;

/**
 * Group commit: everything that arrives while one commit runs is written by the next, in one transaction, so that
 * many messages share one write to disk. A promise resolves only after its transaction is on disk.
 *
 * Work must touch nothing but the database: after a failure in its group it is run again, alone. Where a group fails because it
 * could not get the lock, all of its works fail: each would wait for the same lock again.
 */
export class CommitQueue {
  /** Prepared once: to make a transaction costs more than many statements. */
  readonly #writeGroup: Transaction<(group: readonly PendingWork[]) => unknown[]>;
  readonly #busyDeadlineMs: number;
  readonly #onCommit: ((observation: CommitObservation) => void) | undefined;
  #pending: PendingWork[] = [];
  #draining: Promise<void> | undefined;

  constructor(db: Database, options: CommitQueueOptions = {}) {
    this.#writeGroup = db.transaction((group: readonly PendingWork[]) => group.map(({ work }) => work()));
    this.#busyDeadlineMs = options.busyDeadlineMs ?? 5000;
    this.#onCommit = options.onCommit;
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE when the disk is full, locked too long, or cannot be written. */
  run<Result>(work: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#pending.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when everything queued so far is on disk. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#pending.length > 0) {
      // Lets every request that is already waiting in the loop join the group.
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#pending;
      this.#pending = [];
      await this.#commit(group);
    }
    this.#draining = undefined;
  }

  async #commit(group: readonly PendingWork[]): Promise<void> {
    const outcome = await this.#transact(group);
    if (outcome.ok) {
      for (const [index, item] of group.entries()) item.resolve(outcome.results[index]);
    } else if (group.length > 1 && !isBusy(outcome.error)) {
      for (const item of group) await this.#commit([item]);
    } else {
      for (const item of group) item.reject(storageFailure(outcome.error));
    }
  }

  async #transact(group: readonly PendingWork[]) {
    const deadline = performance.now() + this.#busyDeadlineMs;
    for (;;) {
      try {
        return { ok: true as const, results: this.#runInTransaction(group) };
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) return { ok: false as const, error };
        await Bun.sleep(BUSY_RETRY_MS);
      }
    }
  }

  #runInTransaction(group: readonly PendingWork[]): unknown[] {
    const startedAt = performance.now();
    const results = this.#writeGroup.immediate(group);
    this.#onCommit?.({ groupSize: group.length, milliseconds: performance.now() - startedAt });
    return results;
  }
}

/** Another process writes: none of the group's work is at fault. */
function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith("SQLITE_BUSY") ?? false;
}
