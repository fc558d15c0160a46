import { Registry } from "prom-client";

import { bucketMetrics, deliveryMetrics, encoderMetrics } from "./metrics/background.ts";
import { BotMetrics } from "./metrics/bots.ts";
import { MetricsMaker } from "./metrics/create.ts";
import { actionMetrics, modelMetrics, requestMetrics, turnMetrics } from "./metrics/messages.ts";
import { addProcessGauges, processMetrics } from "./metrics/process.ts";
import { backupMetrics, commitMetrics, storageMetrics } from "./metrics/storage.ts";

/** All metrics of a running server. Labels have few values: a route pattern, a status, a reason, one of a hundred bots. */
export interface Metrics
  extends
    ReturnType<typeof requestMetrics>,
    ReturnType<typeof turnMetrics>,
    ReturnType<typeof encoderMetrics>,
    ReturnType<typeof modelMetrics>,
    ReturnType<typeof actionMetrics>,
    ReturnType<typeof bucketMetrics>,
    ReturnType<typeof deliveryMetrics>,
    ReturnType<typeof commitMetrics>,
    ReturnType<typeof storageMetrics>,
    ReturnType<typeof backupMetrics>,
    ReturnType<typeof processMetrics> {
  readonly bots: BotMetrics;
  /** Has `look` run before each scrape: for what is looked at only then. It must not throw. */
  beforeScrape(look: () => void | Promise<void>): void;
  /** The Prometheus text format. */
  expose(): Promise<string>;
  readonly contentType: string;
}

/** Creates the metrics of one server, in a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const create = new MetricsMaker(registry);
  const looks: (() => void | Promise<void>)[] = [];
  addProcessGauges(create);
  return {
    ...requestMetrics(create),
    ...turnMetrics(create),
    ...encoderMetrics(create),
    ...modelMetrics(create),
    ...actionMetrics(create),
    ...bucketMetrics(create),
    ...deliveryMetrics(create),
    ...commitMetrics(create),
    ...storageMetrics(create),
    ...backupMetrics(create),
    ...processMetrics(create),
    bots: new BotMetrics(create.registers),
    beforeScrape: (look) => void looks.push(look),
    expose: async () => {
      for (const look of looks) await look();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
