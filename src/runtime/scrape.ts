import { statSync, statfsSync } from "node:fs";
import { dirname } from "node:path";

import type { Store } from "../store/interface/store.ts";
import type { World } from "./world.ts";

/** Has what is not counted looked at before each scrape: usage of the month, who waits for a person, and sizes of files. */
export function lookBeforeScrapes(store: Store, { metrics, log, now }: World): void {
  const guarded = (look: () => void | Promise<void>) => async () => {
    try {
      await look();
    } catch (error) {
      // If storage has failed, that is already logged; the metrics continue without the values that cannot be read.
      if (!store.health.failure) log.error({ err: error }, "not all metrics could be read");
    }
  };
  metrics.beforeScrape(guarded(() => metrics.bots.showUsage((bots) => store.readUsage(bots, now()))));
  metrics.beforeScrape(
    guarded(async () => metrics.uncountedTurns.set((await store.analytics.countingState()).left)),
  );
  metrics.beforeScrape(guarded(() => showHandoffs(store, metrics)));
  const { file } = store;
  if (file !== undefined) metrics.beforeScrape(guarded(() => showSizes(file, metrics)));
}

async function showHandoffs(
  { handoffs, outbox }: Pick<Store, "handoffs" | "outbox">,
  metrics: Pick<World["metrics"], "handoffsWaiting" | "showFailedNotices">,
): Promise<void> {
  metrics.handoffsWaiting.set(await handoffs.countWaiting());
  metrics.showFailedNotices(await outbox.listFailedNotices());
}

function showSizes(file: string, metrics: Pick<World["metrics"], "databaseBytes" | "diskFreeBytes">): void {
  metrics.databaseBytes.set({ file: "database" }, sizeOf(file));
  metrics.databaseBytes.set({ file: "log" }, sizeOf(`${file}-wal`));
  const { bavail, bsize } = statfsSync(dirname(file));
  metrics.diskFreeBytes.set(bavail * bsize);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
