import type { Logger } from "pino";

import type { Now } from "../domain/time.ts";
import type { Health } from "./interface/health.ts";
import type { LeaseTimes } from "./lease-observer.ts";
import type { LeaseNews, LeaseStore } from "./turn-store.ts";

/** The parts of a running server that keeping a lease uses. */
interface LeaseParts {
  store: Pick<LeaseStore, "renewLease"> & { readonly health: Pick<Health, "failure"> };
  log: Pick<Logger, "warn" | "error">;
  metrics: { unfinishedTurns: { inc(turns: number): void } };
  /** A steady clock; only differences count. */
  steadyNow: Now;
}

/**
 * Renews this server's lease at every heartbeat, and gives back the unfinished turns of servers whose lease has run out. Once storage
 * has failed, the lease is not renewed, so that others give back the turns that this server cannot store.
 *
 * @returns a function that stops it.
 */
export function keepLease(
  { store, log, metrics, steadyNow }: LeaseParts,
  { beatEveryMs }: LeaseTimes,
): () => void {
  let isRenewing = false;
  const renew = async () => {
    if (isRenewing || store.health.failure) return;
    isRenewing = true;
    try {
      const news = await store.renewLease(steadyNow);
      metrics.unfinishedTurns.inc(news.turnsGivenBack);
      tell(log, news);
    } catch (error) {
      if (!store.health.failure)
        log.error({ err: error }, "this server's lease could not be renewed; trying again");
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew(), beatEveryMs);
  return () => clearInterval(timer);
}

function tell(log: LeaseParts["log"], { wasTakenForDead, deadServers, turnsGivenBack }: LeaseNews): void {
  if (wasTakenForDead) {
    log.warn(
      "another server took this one for dead, which was held up for longer than its lease; it goes on",
    );
  }
  if (deadServers > 0) {
    log.warn(
      { servers: deadServers, turns: turnsGivenBack },
      "a server on this store is gone: its unfinished turns were given back",
    );
  }
}
