import type { Now } from "../../domain/time.ts";
import { type Heartbeat, LeaseObserver, type LeaseTimes } from "../lease-observer.ts";
import type { LeaseNews, TurnToFinish } from "../turn-store.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";
import type { CommitQueue } from "./commit-queue.ts";
import { FolderClaim } from "./folder-claim.ts";
import type { SqliteInstances } from "./instances.ts";
import type { SqliteTurnWrites } from "./turn-writes.ts";

interface TurnLeasesParts {
  commits: Pick<CommitQueue, "run">;
  /** Reads, and converts failures of storage to the errors that callers get. */
  read: <Result>(read: () => Result) => Result;
  instances: SqliteInstances;
  turns: SqliteTurnWrites;
  times: LeaseTimes;
  /** The lock file that shows whether a server runs; undefined if the store is in memory, which is not shared. */
  claimFile: string | undefined;
}

/** Attempts to share the folder: another starting server holds it for one write, which waits at most 5 s. */
const SHARE_ATTEMPTS = 120;
const SHARE_PAUSE_MS = 50;

/** This server's registration among those on one data folder, and the return of turns that a server does not finish. */
export class TurnLeases implements Disposable {
  readonly #parts: TurnLeasesParts;
  readonly #observer: LeaseObserver;
  /** Turns to give back once they can be written: at most those that were in flight when the disk failed. */
  readonly #owed = new Set<TurnToFinish>();
  #claim: FolderClaim | undefined;
  /** Whether another server ran on the folder when this one started. */
  isShared = false;

  constructor(parts: TurnLeasesParts) {
    this.#parts = parts;
    this.#observer = new LeaseObserver(parts.times);
  }

  /** See `LeaseStore.giveBackUnfinished`. */
  async giveBackUnfinished(): Promise<number> {
    const { commits, instances, turns } = this.#parts;
    const given = this.#claimAlone() ? await commits.run(() => turns.giveBackAll()) : 0;
    // The share comes first: the next server to start would take a registered server without it for dead.
    await this.#takeShare();
    await commits.run(() => instances.beat() || instances.join());
    return given;
  }

  /** See `LeaseStore.renewLease`. */
  async renew(steadyNow: Now): Promise<LeaseNews> {
    const { wasTakenForDead, others } = await this.#beat();
    const dead = await this.#giveBackOf(this.#observer.look(others, steadyNow()));
    const ownTurns = await this.#payOwed();
    return {
      wasTakenForDead,
      deadServers: dead.length,
      turnsGivenBack: dead.reduce((sum, turns) => sum + turns, ownTurns),
    };
  }

  /** See `LeaseStore.isAlone`. */
  isAlone(): boolean {
    const { instances, read } = this.#parts;
    return read(() => instances.isOnly());
  }

  /** Gives a turn back with the next heartbeat that can be written. */
  owe(result: TurnToFinish): void {
    this.#owed.add(result);
  }

  /** Removes this server, unless it leaves turns for others to give back. Commands are never registered. */
  leave(): void {
    if (this.#claim) this.#parts.instances.leave();
  }

  [Symbol.dispose](): void {
    this.#claim?.close();
  }

  /** Whether only this process can have begun turns; claims the folder to find out. */
  #claimAlone(): boolean {
    const { claimFile } = this.#parts;
    if (claimFile === undefined) return true;
    if (this.#claim) return false;
    this.#claim = new FolderClaim(claimFile);
    this.isShared = !this.#claim.takeAlone();
    return !this.isShared;
  }

  /** @throws UnusableDatabaseError if a process keeps the folder to itself: a database that it is replacing must not be served. */
  async #takeShare(): Promise<void> {
    if (!this.#claim) return;
    for (let attempt = 0; attempt < SHARE_ATTEMPTS; attempt += 1) {
      if (this.#claim.share()) return;
      await Bun.sleep(SHARE_PAUSE_MS);
    }
    throw new UnusableDatabaseError(
      `another process keeps ${this.#parts.claimFile} for itself, as \`parley restore\` does; start the server when it has ended`,
    );
  }

  /** If no other server is registered, the heartbeat has no reader, and nothing is written. */
  async #beat(): Promise<{ wasTakenForDead: boolean; others: Heartbeat[] }> {
    const { commits, instances } = this.#parts;
    if (this.isAlone()) return { wasTakenForDead: false, others: [] };
    return commits.run(() => {
      const wasTakenForDead = !instances.beat();
      if (wasTakenForDead) instances.join();
      return { wasTakenForDead, others: instances.listOthers() };
    });
  }

  /** @returns number of turns for each server. */
  async #giveBackOf(servers: readonly Heartbeat[]): Promise<number[]> {
    const { commits, turns } = this.#parts;
    if (servers.length === 0) return [];
    const given = await commits.run(() => servers.map((server) => turns.giveBackOf(server)));
    return given.filter((count) => count !== undefined);
  }

  async #payOwed(): Promise<number> {
    const { commits, turns } = this.#parts;
    const owed = [...this.#owed];
    if (owed.length === 0) return 0;
    await commits.run(() => owed.map((result) => turns.finish(result)));
    for (const result of owed) this.#owed.delete(result);
    return owed.length;
  }
}
