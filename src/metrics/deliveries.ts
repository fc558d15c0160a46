import { Counter, type Registry } from "prom-client";

/** What webhooks and e-mails count. */
export function deliveryMetrics(registers: Registry[]) {
  return {
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
