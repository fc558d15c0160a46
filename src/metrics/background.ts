import { Counter, Gauge, type Registry } from "prom-client";

import type { FailedNotices } from "../domain/delivery.ts";

/** Metrics of webhooks, e-mails, and hand-offs that wait. */
export function deliveryMetrics(registers: Registry[]) {
  const failed = new Gauge({
    name: "parley_handoff_notices_failed",
    help: "Notices of hand-offs that failed, by channel, and by whether they are tried again (waiting) or not (given-up, hand-off not closed)",
    labelNames: ["channel", "state"],
    registers,
  });
  return {
    handoffsWaiting: new Gauge({
      name: "parley_handoffs_waiting",
      help: "Visitors who wait for a person; the same of all servers on one store",
      registers,
    }),
    /** Zeros are shown, too: what is not there cannot be compared. */
    showFailedNotices(notices: readonly FailedNotices[]): void {
      for (const channel of ["webhook", "mail"] as const)
        for (const state of ["waiting", "given-up"] as const) failed.set({ channel, state }, 0);
      for (const { channel, state, notices: count } of notices) failed.inc({ channel, state }, count);
    },
    deliveries: new Counter({
      name: "parley_deliveries_total",
      help: "Tries to tell a team, by channel (webhook, mail) and by what came of it (delivered, waiting, given-up)",
      labelNames: ["channel", "state"],
      registers,
    }),
    eventsDropped: new Counter({
      name: "parley_events_dropped_total",
      help: "Events of turns that a webhook is not told of, as too many wait for it, by webhook and event",
      labelNames: ["webhook", "event"],
      registers,
    }),
  };
}

/** Metrics of the server of the token buckets. */
export function bucketMetrics(registers: Registry[]) {
  let gauge: Gauge | undefined;
  return {
    /** Shown from the first call on: where no server is configured, none is down. */
    showSharedBuckets(isUp: boolean): void {
      gauge ??= new Gauge({
        name: "parley_shared_buckets_up",
        help: "1 while the token buckets are shared, 0 while this instance counts by itself; only with --buckets",
        registers,
      });
      gauge.set(Number(isUp));
    },
  };
}

/** Metrics of the encoding thread, and of texts not encoded yet. */
export function encoderMetrics(registers: Registry[]) {
  return {
    encoderRefusals: new Counter({
      name: "parley_encoder_refused_total",
      help: "Texts that were not encoded because too many waited: messages, documents, or what is done in the background",
      labelNames: ["queue"],
      registers,
    }),
    encoderUnready: new Gauge({
      name: "parley_encoder_unready",
      help: "What the encoder has yet to read, so that words alone decide: examples of bots (by bot), passages of documents",
      labelNames: ["of"],
      registers,
    }),
  };
}
