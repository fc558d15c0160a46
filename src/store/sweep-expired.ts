import type { Logger } from "pino";

import type { EpochMs, Now } from "../domain/time.ts";
import type { Store } from "./store.ts";

const EXPIRY_SWEEP_MS = 60_000;
const EXPIRY_STEP_PAUSE_MS = 50;

/** What the sweep needs of a running server. */
interface SweepParts {
  store: Pick<Store, "deleteExpired">;
  log: Pick<Logger, "error">;
  now: Now;
  /** Conversations whose last turn is older than this have expired. */
  conversationsNotBefore: () => EpochMs;
}

/** Deletes what has expired, in small steps. @returns how to stop it. */
export function sweepExpired({ store, log, now, conversationsNotBefore }: SweepParts): () => void {
  let stopped = false;
  const sweep = async () => {
    try {
      while (!stopped && (await store.deleteExpired(now(), conversationsNotBefore()))) {
        await Bun.sleep(EXPIRY_STEP_PAUSE_MS);
      }
    } catch (error) {
      log.error({ err: error }, "expired conversations could not be deleted; the next sweep tries again");
    }
  };
  const timer = setInterval(() => void sweep(), EXPIRY_SWEEP_MS);
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
