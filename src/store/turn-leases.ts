import type { Now } from "../domain/time.ts";
import type { CommitQueue } from "./commit-queue.ts";
import { storageFailure } from "./database.ts";
import { FolderClaim } from "./folder-claim.ts";
import type { InstanceStore } from "./instances.ts";
import { type Heartbeat, LeaseObserver, type LeaseTimes } from "./lease-observer.ts";
import type { LeaseNews, TurnToFinish } from "./turn-store.ts";
import type { TurnWrites } from "./turn-writes.ts";

interface TurnLeasesParts {
  commits: Pick<CommitQueue, "run">;
  instances: InstanceStore;
  turns: TurnWrites;
  times: LeaseTimes;
  /** Whose lock says that a server runs; undefined where the store is in memory: nobody shares it. */
  claimFile: string | undefined;
}

/** How often a server that starts asks for its share of the folder: another one that starts holds it for one write. */
const SHARE_ATTEMPTS = 20;
const SHARE_PAUSE_MS = 50;

/** This server's place among those on one data folder, and what becomes of turns that a server does not finish. */
export class TurnLeases implements Disposable {
  readonly #parts: TurnLeasesParts;
  readonly #observer: LeaseObserver;
  /** Turns to be given back when that can be written: at most those that were in flight when the disk failed. */
  readonly #owed = new Set<TurnToFinish>();
  #claim: FolderClaim | undefined;
  #hasShare = false;
  /** Whether another server ran on the folder when this one started. */
  isShared = false;

  constructor(parts: TurnLeasesParts) {
    this.#parts = parts;
    this.#observer = new LeaseObserver(parts.times);
  }

  /** See `LeaseStore.giveBackUnfinished`. */
  async giveBackUnfinished(): Promise<number> {
    const { commits, instances, turns } = this.#parts;
    const given = this.#isAlone() ? await commits.run(() => turns.giveBackAll()) : 0;
    // The share comes first: whoever enters itself without it could be taken for dead by the next that starts.
    await this.#takeShare();
    await commits.run(() => instances.beat() || instances.join());
    return given;
  }

  /** See `LeaseStore.renewLease`. */
  async renew(steadyNow: Now): Promise<LeaseNews> {
    this.#hasShare ||= this.#claim?.share() ?? true;
    const { wasTakenForDead, others } = await this.#beat();
    const dead = await this.#giveBackOf(this.#observer.look(others, steadyNow()));
    const ownTurns = await this.#payOwed();
    return {
      wasTakenForDead,
      deadServers: dead.length,
      turnsGivenBack: dead.reduce((sum, turns) => sum + turns, ownTurns),
    };
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

  /** Whether this process is the only one that can have begun turns. */
  #isAlone(): boolean {
    const { claimFile } = this.#parts;
    if (claimFile === undefined) return true;
    if (this.#hasShare) return false;
    this.#claim ??= new FolderClaim(claimFile);
    this.isShared = !this.#claim.takeAlone();
    return !this.isShared;
  }

  /** Without a share, as beside a server of an earlier version, this one goes on, and asks again at each heartbeat. */
  async #takeShare(): Promise<void> {
    for (let attempt = 0; attempt < SHARE_ATTEMPTS && !this.#hasShare; attempt += 1) {
      if (attempt > 0) await Bun.sleep(SHARE_PAUSE_MS);
      this.#hasShare = this.#claim?.share() ?? true;
    }
  }

  /** Where no other server is entered, nobody looks for a heartbeat, and nothing is written. */
  async #beat(): Promise<{ wasTakenForDead: boolean; others: Heartbeat[] }> {
    const { commits, instances } = this.#parts;
    if (isAloneIn(instances)) return { wasTakenForDead: false, others: [] };
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

function isAloneIn(instances: InstanceStore): boolean {
  try {
    return instances.isOnly();
  } catch (error) {
    throw storageFailure(error);
  }
}
