import type { Goal } from "../goals.ts";
import { type Measured, measureLoad, measuredLine, middleOf } from "../load/measure.ts";
import { median, type PlannedRequest } from "../load/plan.ts";
import { residentMegabytesOf } from "../servers/process-usage.ts";
import { type BenchServer, serveParley } from "../servers/serve.ts";

const ROUNDS = 3;
const WARM_UP_SECONDS = 2;
const STARTS = 5;

/** Start time and memory of a folder. */
export interface Started {
  startMs: number;
  residentMegabytes: number;
}

/** Start-up of a folder, and memory at rest. The median counts, because the first start may have to migrate. */
export async function measureStart(data: string): Promise<Started> {
  const starts: Started[] = [];
  while (starts.length < STARTS) {
    await using server = await serveParley(data);
    starts.push({ startMs: server.startMs, residentMegabytes: await restingMegabytes(server) });
  }
  return {
    startMs: median(starts.map(({ startMs }) => startMs)),
    residentMegabytes: median(starts.map(({ residentMegabytes }) => residentMegabytes)),
  };
}

async function restingMegabytes({ pid }: BenchServer): Promise<number> {
  await Bun.sleep(300);
  return residentMegabytesOf(pid);
}

export function printStart(name: string, { startMs, residentMegabytes }: Started): void {
  console.log(
    `${name.padEnd(46)}first 200 after ${startMs.toFixed(0)} ms, ${residentMegabytes.toFixed(0)} MB at rest`,
  );
}

/** A server under the same load as others beside it. */
export interface Contestant {
  name: string;
  data: string;
  requestsTo: (origin: string) => PlannedRequest[];
  turns: number;
  callers: number;
}

/** Loads take turns, so that a noisy moment affects all. @returns the median rounds, in the order given. */
export async function compare(contestants: readonly Contestant[], seconds: number): Promise<Measured[]> {
  await using opened = new AsyncDisposableStack();
  const loads = [];
  for (const { name, data, requestsTo, turns, callers } of contestants) {
    const server = opened.use(await serveParley(data));
    loads.push({
      name,
      server,
      plan: { requests: requestsTo(server.url), turns, callers },
      rounds: [] as Measured[],
    });
  }
  for (const { server, plan } of loads) await measureLoad(server, { ...plan, seconds: WARM_UP_SECONDS });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { server, plan, rounds } of loads)
      rounds.push(await measureLoad(server, { ...plan, seconds }));
  }
  return loads.map(({ name, server, rounds }) => {
    const middle = middleOf(rounds);
    console.log(`${measuredLine(name, middle)}${residentMegabytesOf(server.pid).toFixed(0).padStart(8)} MB`);
    return middle;
  });
}

/** The stored data may change a figure by a tenth at most. */
export function comparedTo(what: string, [base, grown]: Measured[]): Goal[] {
  return [
    {
      what: `${what}: throughput to that of an empty file`,
      value: grown!.perSecond / base!.perSecond,
      atLeast: 0.9,
    },
    { what: `${what}: p99 to that of an empty file`, value: grown!.p99Ms / base!.p99Ms, atMost: 1.1 },
  ];
}
