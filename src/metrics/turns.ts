import { Counter, Gauge, type Registry } from "prom-client";

/** Metrics of turns, for all bots together. */
export function turnMetrics(registers: Registry[]) {
  return {
    decisions: new Counter({
      name: "parley_decisions_total",
      help: "Turns by governance decision: allowed, or the enforcement reason",
      labelNames: ["decision"],
      registers,
    }),
    turnsInFlight: new Gauge({
      name: "parley_turns_in_flight",
      help: "Messages that are being answered",
      registers,
    }),
    overloads: new Counter({
      name: "parley_overloaded_total",
      help: "Messages refused with OVERLOADED, because too many were being answered",
      registers,
    }),
    unfinishedTurns: new Counter({
      name: "parley_unfinished_turns_total",
      help: "Messages given back, whose answer a server did not finish",
      registers,
    }),
  };
}
