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
const LONGEST_RECOVERY_MS = 60_000;

/** Restarts the database under a crowd. @returns for each instance, the milliseconds from the database's return to the next answer. */
export function measureRecovery(options: CrowdedOptions, database: DatabaseServer): Promise<number[]> {
  return talkWhile(options, async (_, crowd) => {
    await Bun.sleep(BEFORE_MS);
    await database.stop();
    await Bun.sleep(OUTAGE_MS);
    const before = [...crowd.answers];
    await database.start();
    const backAt = performance.now();
    const recovered = await Promise.all(
      before.map(async (answers, place) => {
        await untilAnswers(crowd, place, answers);
        return performance.now() - backAt;
      }),
    );
    await Bun.sleep(AFTER_MS);
    return recovered;
  });
}

async function untilAnswers(crowd: Crowd, place: number, before: number): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_RECOVERY_MS;
  while (crowd.answers[place] === before && performance.now() < giveUpAt) await Bun.sleep(2);
}
