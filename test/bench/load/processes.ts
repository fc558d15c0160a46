import { availableParallelism } from "node:os";

import { type LoadPlan, type LoadResult, MAX_REQUESTS, quantile } from "./plan.ts";

/** The output of a process of callers. */
export interface CallersReport {
  latenciesMs: number[];
  seconds: number;
  failure?: string;
}

/** Two generators keep a server busy that uses one core; more would take that core away from it. */
export const PROCESSES = Math.max(2, Math.min(4, availableParallelism() - 1));

/**
 * Plays a plan with several processes of our own, which share its callers.
 *
 * @throws Error on answers with another status than the plan's, and on broken connections.
 */
export async function playWithProcesses(plan: LoadPlan): Promise<LoadResult> {
  const count = Math.min(PROCESSES, plan.callers);
  const shares = Array.from({ length: count }, (_, index) => Math.floor((plan.callers + index) / count));
  const children = shares.map((callers) => playInProcess({ ...plan, callers }, MAX_REQUESTS / count));
  return merge(await Promise.all(children));
}

interface Played extends CallersReport {
  cpuSeconds: number;
}

async function playInProcess(plan: LoadPlan, limit: number): Promise<Played> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/caller-process.ts`], {
    stdin: new Blob([JSON.stringify({ plan, limit })]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const report = (await new Response(child.stdout).json()) as CallersReport;
  await child.exited;
  if (report.failure !== undefined) throw new Error(report.failure);
  return { ...report, cpuSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6 };
}

function merge(parts: readonly Played[]): LoadResult {
  const latenciesMs = parts.flatMap((part) => part.latenciesMs).toSorted((a, b) => a - b);
  const seconds = Math.max(...parts.map((part) => part.seconds));
  const cpuSeconds = parts.reduce((sum, part) => sum + part.cpuSeconds, 0);
  return {
    requests: latenciesMs.length,
    perSecond: latenciesMs.length / seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    generatorCores: cpuSeconds / seconds,
  };
}
