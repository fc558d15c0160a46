import type { Crowd } from "./crowd.ts";
import { type CrowdedOptions, talkWhile } from "./kill-instances.ts";

/** How the database server is stopped, and started again on what it holds. */
interface DatabaseServer {
  stop: () => Promise<void>;
  /** Resolves when it answers. */
  start: () => Promise<void>;
}

const BEFORE_MS = 3000;
const OUTAGE_MS = 1000;
const AFTER_MS = 2000;
const MAX_RECOVERY_MS = 60_000;

/** When an instance acknowledged again, in milliseconds. */
interface Recovery {
  /** From the moment at which the database was seen to answer; an instance may be first to see it. */
  sinceBackMs: number;
  /** From the order to start it: the database's own recovery is in it. */
  sinceStartMs: number;
}

/** Restarts the database under a crowd. @returns the recovery of each instance. */
export function measureRecovery(options: CrowdedOptions, database: DatabaseServer): Promise<Recovery[]> {
  return talkWhile(options, async (_, crowd) => {
    await Bun.sleep(BEFORE_MS);
    await database.stop();
    await Bun.sleep(OUTAGE_MS);
    const before = [...crowd.answers];
    const startedAt = performance.now();
    const answering = before.map((answers, place) => nextAnswerAt(crowd, place, answers));
    await database.start();
    const backAt = performance.now();
    const answeredAt = await Promise.all(answering);
    await Bun.sleep(AFTER_MS);
    return answeredAt.map((at) => ({
      sinceBackMs: Math.max(0, at - backAt),
      sinceStartMs: at - startedAt,
    }));
  });
}

async function nextAnswerAt(crowd: Crowd, place: number, before: number): Promise<number> {
  const giveUpAt = performance.now() + MAX_RECOVERY_MS;
  while (crowd.answers[place] === before && performance.now() < giveUpAt) await Bun.sleep(2);
  return performance.now();
}
