import { Counter, Gauge, type Registry } from "prom-client";

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
