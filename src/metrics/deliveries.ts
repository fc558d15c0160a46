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
