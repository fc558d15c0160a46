import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { measureLoad } from "./load/measure.ts";
import { type CpuProfile, sampleStages, STAGES, type Stage } from "./profile.ts";
import { dataFolder } from "./servers/data-folder.ts";
import { cpuSecondsOf, mainThreadCpuSecondsOf } from "./servers/process-usage.ts";
import { serveParley } from "./servers/serve.ts";
import { chatRequests, seedShop, TURNS } from "./servers/shop.ts";

const CALLERS = 64;
/** Time before the measurement, so that the code is compiled. */
const WARM_UP_SECONDS = 6;
/** Sampling interval: finer sampling slows the server; at 1 ms the profiled run keeps its throughput. */
const SAMPLE_MICROSECONDS = 1000;

/**
 * Prints where the processor time of a message goes. A CPU profile of the executable under load gives the shares of the stages; the
 * kernel's count of the main thread and of the process gives what lies outside JavaScript. The data folder is in memory, because a
 * profile counts waiting for the disk as if it were work.
 */
export async function printStages(seconds: number): Promise<void> {
  using data = dataFolder("memory");
  const shop = await seedShop(data.path);
  const profiles = mkdtempSync(join(tmpdir(), "parley-profile-"));
  try {
    const run = await profiledRun(profiles, data.path, shop, seconds);
    print(run);
  } finally {
    rmSync(profiles, { recursive: true });
  }
}

interface ProfiledRun {
  requests: number;
  perSecond: number;
  /** CPU microseconds a message: of the process, and of its main thread. */
  total: number;
  mainThread: number;
  /** Time of the main thread in JavaScript and its calls. */
  byStage: ReadonlyMap<Stage, number>;
}

async function profiledRun(
  profiles: string,
  data: string,
  shop: Parameters<typeof chatRequests>[1],
  seconds: number,
): Promise<ProfiledRun> {
  const BUN_OPTIONS = `--cpu-prof --cpu-prof-dir=${profiles} --cpu-prof-interval=${SAMPLE_MICROSECONDS}`;
  const startedAt = performance.now();
  const server = await serveParley(data, { env: { BUN_OPTIONS } });
  const load = { requests: chatRequests(server.url, shop), callers: CALLERS, turns: TURNS };
  await measureLoad(server, { ...load, seconds: WARM_UP_SECONDS });
  const before = { at: performance.now(), ...cpuOf(server.pid) };
  const { requests, perSecond } = await measureLoad(server, { ...load, seconds });
  const after = { at: performance.now(), ...cpuOf(server.pid) };
  await server[Symbol.asyncDispose]();
  const profile = await readProfile(profiles, server.pid);
  const sampled = sampleStages(profile, before.at - startedAt, after.at - startedAt);
  const perMessage = (cpuSeconds: number) => (cpuSeconds * 1e6) / requests;
  return {
    requests,
    perSecond,
    total: perMessage(after.process - before.process),
    mainThread: perMessage(after.mainThread - before.mainThread),
    byStage: new Map([...sampled].map(([stage, sampledMs]) => [stage, perMessage(sampledMs / 1000)])),
  };
}

/** The server's own profile; processes that it starts, such as the check of the database, write theirs beside it. */
async function readProfile(folder: string, pid: number): Promise<CpuProfile> {
  const file = readdirSync(folder).find((name) => name.includes(`.${pid}.`));
  if (file === undefined) throw new Error(`the server left no profile in ${folder}`);
  return (await Bun.file(join(folder, file)).json()) as CpuProfile;
}

function cpuOf(pid: number) {
  return { process: cpuSecondsOf(pid), mainThread: mainThreadCpuSecondsOf(pid) };
}

function print({ requests, perSecond, total, mainThread, byStage }: ProfiledRun): void {
  const sampled = [...byStage.values()].reduce((sum, value) => sum + value, 0);
  // On a busy machine the thread is also sampled while it waits for a core.
  const scale = Math.min(1, mainThread / sampled);
  const rows = [
    ...STAGES.map((stage) => [stage, (byStage.get(stage) ?? 0) * scale] as const),
    ["sockets (Bun, outside JavaScript)", mainThread - sampled * scale] as const,
    ["other threads (garbage, compiler)", total - mainThread] as const,
  ];
  console.log(
    `\nCPU µs of a message, ${CALLERS} callers, data folder in memory: ${requests} messages, ${perSecond.toFixed(0)} a second, profiled each ${SAMPLE_MICROSECONDS / 1000} ms\n`,
  );
  for (const [name, value] of rows) {
    const share = `${((100 * value) / total).toFixed(0)} %`;
    console.log(`${name.padEnd(46)}${value.toFixed(1).padStart(8)}${share.padStart(7)}`);
  }
  console.log(`${"the message".padEnd(46)}${total.toFixed(1).padStart(8)}`);
  if (scale < 1)
    console.log("the machine was busy with other things: the time of the sockets is spread over the stages");
}
