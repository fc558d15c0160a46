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
  };
}
