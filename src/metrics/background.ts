import type { FailedNotices } from "../domain/delivery.ts";
import type { MetricsMaker } from "./create.ts";

/** Metrics of webhooks, e-mails, and hand-offs that wait. */
export function deliveryMetrics(create: MetricsMaker) {
  const failed = create.gauge(
    "parley_handoff_notices_failed",
    "Notices of hand-offs that failed, by channel, and by whether they are tried again (waiting) or not (given-up, hand-off not closed)",
    ["channel", "state"],
  );
  return {
    handoffsWaiting: create.gauge(
      "parley_handoffs_waiting",
      "Visitors who wait for a person; the same of all servers on one store",
    ),
    /** Zeros are shown, too: what is not there cannot be compared. */
    showFailedNotices(notices: readonly FailedNotices[]): void {
      for (const channel of ["webhook", "mail"] as const)
        for (const state of ["waiting", "given-up"] as const) failed.set({ channel, state }, 0);
      for (const { channel, state, notices: count } of notices) failed.inc({ channel, state }, count);
    },
    deliveries: create.counter(
      "parley_deliveries_total",
      "Attempts to notify a team, by channel (webhook, mail) and outcome (delivered, waiting, given-up)",
      ["channel", "state"],
    ),
    eventsDropped: create.counter(
      "parley_events_dropped_total",
      "Events of turns that were not sent because too many waited for the webhook, by webhook and event",
      ["webhook", "event"],
    ),
  };
}

/** Metrics of the server of the token buckets. */
export function bucketMetrics(create: MetricsMaker) {
  let gauge: ReturnType<MetricsMaker["gauge"]> | undefined;
  return {
    /** Shown from the first call on: where no server is configured, none is down. */
    showSharedBuckets(isUp: boolean): void {
      gauge ??= create.gauge(
        "parley_shared_buckets_up",
        "1 while the token buckets are shared, 0 while this instance counts by itself; only with --buckets",
      );
      gauge.set(Number(isUp));
    },
  };
}

/** Metrics of the encoding thread, and of texts not encoded yet. */
export function encoderMetrics(create: MetricsMaker) {
  return {
    encoderRefusals: create.counter(
      "parley_encoder_refused_total",
      "Texts that were not encoded because too many waited: messages, documents, or what is done in the background",
      ["queue"],
    ),
    encoderUnready: create.gauge(
      "parley_encoder_unready",
      "What is not encoded yet, so that words alone decide: examples of bots (by bot), passages of documents",
      ["of"],
    ),
  };
}
