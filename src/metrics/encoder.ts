import { Counter, type Registry } from "prom-client";

/** What the encoding thread counts. */
export function encoderMetrics(registers: Registry[]) {
  return {
    encoderRefusals: new Counter({
      name: "parley_encoder_refused_total",
      help: "Texts that were not encoded because too many waited: messages, documents, or what is done in the background",
      labelNames: ["queue"],
      registers,
    }),
  };
}
