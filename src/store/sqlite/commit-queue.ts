import type { Database, Transaction } from "better-sqlite3";

import type { CommitObservation } from "../turn-store.ts";
import { sqliteCode, storageFailure } from "./failure.ts";

/** Checks that writes are durable. */
export interface CommitGuard {
  /** Called before each group. @throws the error that the group fails with. */
  checkBeforeCommit(): void;
  /** Called when a group is on disk, before its callers get their results. @throws the error that the group fails with. */
  checkAfterCommit(): void;
  /** Called when a group's transaction fails, before a retry or another attempt. */
  noticeFailureOfWrite(error: unknown): void;
  /** Called with the result of each write; `error` is undefined if the write is on disk. */
  noticeOutcome(error?: unknown): void;
}

/** Takes part in each group: it may collect the writes of the group's works, and write them together at the end. */
export interface GroupMember {
  /** The group's transaction has begun. What was collected for an earlier group must be discarded: that group may have been rolled back. */
  openGroup?(): void;
  /** All works are done; collected data must be written now. */
  closeGroup?(): void;
  /** The group is on disk. */
  groupCommitted?(): void;
}

interface CommitQueueOptions {
  members?: readonly GroupMember[];
  /** How long a group waits for another process's write before it fails with STORAGE_UNAVAILABLE. */
  busyDeadlineMs?: number;
  onCommit?: (observation: CommitObservation) => void;
  guard?: CommitGuard;
}

/** `isFinal`: no work of the group may run again. */
type Outcome = { ok: true; results: unknown[] } | { ok: false; error: unknown; isFinal: boolean };

interface PendingWork {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Pause between two attempts to get the write lock; short, because messages wait for it. Chosen by hand. */
const BUSY_RETRY_MS = 4;
/** How long a group waits for the write lock: the five seconds for which a message also waits for PostgreSQL. */
const BUSY_DEADLINE_MS = 5000;

/**
 * Group commit: everything that arrives while one commit runs is written by the next in one transaction, so that many messages share one
 * write to disk. A promise resolves only after its transaction is on disk.
 *
 * If a group fails, each of its works runs again, alone; so work must have no effects but those on the database. If a group fails because
 * it could not get the lock, all of its works fail: each would wait for the same lock again.
 */
export class CommitQueue {
  /** Prepared once: creating a transaction costs more than many statements. */
  readonly #writeGroup: Transaction<(group: readonly PendingWork[]) => unknown[]>;
  readonly #busyDeadlineMs: number;
  readonly #onCommit: ((observation: CommitObservation) => void) | undefined;
  readonly #guard: CommitGuard | undefined;
  readonly #members: readonly GroupMember[];
  #pending: PendingWork[] = [];
  #draining: Promise<void> | undefined;

  constructor(db: Database, options: CommitQueueOptions = {}) {
    this.#members = options.members ?? [];
    this.#writeGroup = db.transaction((group: readonly PendingWork[]) => this.#doAll(group));
    this.#busyDeadlineMs = options.busyDeadlineMs ?? BUSY_DEADLINE_MS;
    this.#onCommit = options.onCommit;
    this.#guard = options.guard;
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE if the disk is full, locked too long, or cannot be written. */
  run<Result>(work: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#pending.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves once everything queued so far is on disk. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#pending.length > 0) {
      // Lets every request that is already waiting in the event loop join the group.
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#pending;
      this.#pending = [];
      await this.#settle(group);
    }
    this.#draining = undefined;
  }

  /** Must never reject: all later writes would wait for ever. */
  async #settle(group: readonly PendingWork[]): Promise<void> {
    try {
      await this.#commit(group);
    } catch (error) {
      for (const item of group) item.reject(error);
    }
  }

  async #commit(group: readonly PendingWork[]): Promise<void> {
    const outcome = await this.#transact(group);
    if (outcome.ok) {
      this.#guard?.noticeOutcome();
      for (const [index, item] of group.entries()) item.resolve(outcome.results[index]);
    } else if (group.length > 1 && !outcome.isFinal) {
      for (const item of group) await this.#commit([item]);
    } else {
      const failure = storageFailure(outcome.error);
      this.#guard?.noticeOutcome(failure);
      for (const item of group) item.reject(failure);
    }
  }

  async #transact(group: readonly PendingWork[]): Promise<Outcome> {
    const deadline = performance.now() + this.#busyDeadlineMs;
    for (;;) {
      const outcome = this.#attempt(group);
      if (outcome.ok || !isBusy(outcome.error) || performance.now() >= deadline) return outcome;
      await Bun.sleep(BUSY_RETRY_MS);
    }
  }

  /** Errors of the guard are final: before a group, because a retry would be refused too; after it, because the group is written. */
  #attempt(group: readonly PendingWork[]): Outcome {
    let isFinal = true;
    try {
      this.#guard?.checkBeforeCommit();
      isFinal = false;
      const startedAt = performance.now();
      const results = this.#writeGroup.immediate(group);
      isFinal = true;
      this.#onCommit?.({ groupSize: group.length, milliseconds: performance.now() - startedAt });
      this.#guard?.checkAfterCommit();
      for (const member of this.#members) member.groupCommitted?.();
      return { ok: true, results };
    } catch (error) {
      if (!isFinal) this.#guard?.noticeFailureOfWrite(error);
      return { ok: false, error, isFinal: isFinal || isBusy(error) };
    }
  }

  #doAll(group: readonly PendingWork[]): unknown[] {
    for (const member of this.#members) member.openGroup?.();
    const results = group.map(({ work }) => work());
    for (const member of this.#members) member.closeGroup?.();
    return results;
  }
}

/** Whether another process holds the write lock, so that no work of the group is at fault. */
function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith("SQLITE_BUSY") ?? false;
}
