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
  /** Reads, and turns the failures of storage into what callers learn of them. */
  read: <Result>(read: () => Result) => Result;
  instances: SqliteInstances;
  turns: SqliteTurnWrites;
  times: LeaseTimes;
  /** Whose lock says that a server runs; undefined where the store is in memory: nobody shares it. */
  claimFile: string | undefined;
}

/** How long a server that starts asks for its share of the folder: another one that starts holds it for one write, which waits 5 s at most. */
const SHARE_ATTEMPTS = 120;
const SHARE_PAUSE_MS = 50;

/** This server's place among those on one data folder, and what becomes of turns that a server does not finish. */
export class TurnLeases implements Disposable {
  readonly #parts: TurnLeasesParts;
  readonly #observer: LeaseObserver;
  /** Turns to be given back when that can be written: at most those that were in flight when the disk failed. */
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
    // The share comes first: whoever enters itself without it could be taken for dead by the next that starts.
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

  /** Takes this server off the list, unless it leaves turns for others to give back. Commands were never on it. */
  leave(): void {
    if (this.#claim) this.#parts.instances.leave();
  }

  [Symbol.dispose](): void {
    this.#claim?.close();
  }

  /** Whether this process is the only one that can have begun turns; it claims the folder to know. */
  #claimAlone(): boolean {
    const { claimFile } = this.#parts;
    if (claimFile === undefined) return true;
    if (this.#claim) return false;
    this.#claim = new FolderClaim(claimFile);
    this.isShared = !this.#claim.takeAlone();
    return !this.isShared;
  }

  /** @throws UnusableDatabaseError where a process keeps the folder for itself: what it puts there must not be served before it has ended. */
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

  /** Where no other server is entered, nobody looks for a heartbeat, and nothing is written. */
  async #beat(): Promise<{ wasTakenForDead: boolean; others: Heartbeat[] }> {
    const { commits, instances } = this.#parts;
    if (this.isAlone()) return { wasTakenForDead: false, others: [] };
    return commits.run(() => {
      const wasTakenForDead = !instances.beat();
      if (wasTakenForDead) instances.join();
      return { wasTakenForDead, others: instances.listOthers() };
    });
  }

  /** @returns how many turns of each server. */
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
