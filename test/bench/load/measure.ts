import { cpuSecondsOf } from "../servers/process-usage.ts";
import type { BenchServer } from "../servers/serve.ts";
import type { LoadPlan, LoadResult } from "./plan.ts";
import { runLoad } from "./run-load.ts";

/** The results of a load, and its cost to the server. */
export interface Measured extends LoadResult {
  /** Processor time of all the server's threads per request. */
  cpuMicroseconds: number;
}

/** A load whose server is started when it is measured. */
export type Load = Omit<LoadPlan, "origin" | "requests" | "seconds">;

/** Plays a plan against a server, with the processor time that the server used meanwhile. */
export async function measureLoad(server: BenchServer, plan: Omit<LoadPlan, "origin">): Promise<Measured> {
  const before = cpuSecondsOf(server.pid);
  const result = await runLoad({ ...plan, origin: server.url });
  const used = cpuSecondsOf(server.pid) - before;
  return { ...result, cpuMicroseconds: (used * 1e6) / result.requests };
}

/** The round with the median throughput. */
export function middleOf(rounds: readonly Measured[]): Measured {
  return rounds.toSorted((a, b) => a.perSecond - b.perSecond)[rounds.length >> 1]!;
}

export const MEASURED_HEAD = `${"".padEnd(46)}${["a second", "CPU µs", "p50 ms", "p99 ms"].map((name) => name.padStart(10)).join("")}`;

export function measuredLine(name: string, result: Measured): string {
  const { perSecond, cpuMicroseconds, p50Ms, p99Ms, generatorCores } = result;
  const figures = [perSecond.toFixed(0), cpuMicroseconds.toFixed(1), p50Ms.toFixed(2), p99Ms.toFixed(2)].map(
    (figure) => figure.padStart(10),
  );
  const note = generatorCores > BUSY_CORES ? "  (the generator was busy)" : "";
  return `${name.padEnd(46)}${figures.join("")}${note}`;
}

/** Share of a core that `wrk`'s only thread may use; above it, the server may have waited for `wrk`. */
const BUSY_CORES = 0.9;
