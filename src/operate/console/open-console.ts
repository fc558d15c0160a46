import type { EpochMs, Now } from "../../domain/time.ts";
import { ClusterThread } from "../../intent/classifier.ts";
import type { Metrics } from "../../metrics.ts";
import type { Store } from "../../store/interface/store.ts";
import { Improvement, type ImprovementParts } from "./improvement.ts";
import type { OverviewParts } from "./overview.ts";

/** The parts of a running server that the console reads. */
export interface ConsoleServer {
  store: Store;
  bots: ImprovementParts["bots"];
  metrics: Pick<Metrics, "requests">;
  now: Now;
  startedAt: EpochMs;
  counting: { catchUp(): Promise<void> };
}

/** The console's services. */
export interface Console extends Disposable {
  overview: OverviewParts;
  improvement: Improvement;
  /** Counts new messages, so that they are visible at once. */
  catchUp: () => Promise<void>;
}

const CHAT = "/chat";

export function openConsole({ store, bots, metrics, now, startedAt, counting }: ConsoleServer): Console {
  const thread = new ClusterThread();
  const improvement = new Improvement({ store, bots, cluster: (texts) => thread.cluster(texts) });
  const latency = async () => {
    const seconds = await metrics.requests.quantiles(CHAT, [0.5, 0.95, 0.99]);
    if (!seconds) return undefined;
    const [p50, p95, p99] = seconds.map((second) => second * 1000);
    return { p50: p50!, p95: p95!, p99: p99!, since: startedAt };
  };
  const countWaiting: OverviewParts["countWaiting"] = (bot, since) => improvement.countWaiting(bot, since);
  return {
    overview: { store, now, latency, countWaiting },
    improvement,
    catchUp: () => counting.catchUp(),
    [Symbol.dispose]: () => thread[Symbol.dispose](),
  };
}
