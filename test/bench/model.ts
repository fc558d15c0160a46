/** The time that the runtime adds to a model server's, and whether streams leak memory. */
import { runExecutable } from "../support/executable.ts";
import { type Goal, printGoals } from "./goals.ts";
import { type LoadResult, type PlannedRequest, plannedPost } from "./load/plan.ts";
import { runLoad } from "./load/run-load.ts";
import { dataFolder, type Place } from "./servers/data-folder.ts";
import { measureSync } from "./servers/fsync.ts";
import { residentMegabytesOf } from "./servers/process-usage.ts";
import { type BenchServer, serveInstantModel, serveParley } from "./servers/serve.ts";

const CALLERS = 16;
/** Pause between a caller's messages in the paced run, far below the machine's capacity. */
const PACE_MS = 40;
const WARM_UP_SECONDS = 2;
const STREAM_STEPS = 5;
const INTENT = {
  name: "orders.status",
  examples: ["where is my order", "track my parcel", "has it been sent"],
};
const BOT = {
  id: "shop",
  name: "Shop",
  allowedDomains: ["*"],
  intents: [INTENT],
  responder: { kind: "model" },
};
const QUESTION = "where is my order";

interface Front {
  server: BenchServer;
  token: string;
}

/** Added to the model server's p50, in milliseconds. */
interface Added {
  pacedMs: number;
}

/** Prints the time above an instant model server's, with the data folder in memory and on disk. */
export async function printModel(seconds: number): Promise<void> {
  await using model = await serveInstantModel();
  using onDisk = dataFolder("disk");
  using inMemory = dataFolder("memory");
  const sync = measureSync(onDisk.path);
  const memory = await measureFront("memory", inMemory.path, model, seconds);
  const disk = await measureFront("disk", onDisk.path, model, seconds);
  const goals: Goal[] = [
    { what: "model in front: ms added to p50, data folder in memory", value: memory.pacedMs, atMost: 0.3 },
    {
      what: "the same on disk: syncs above that",
      value: (disk.pacedMs - memory.pacedMs) / sync.p50Ms,
      atMost: 2,
    },
  ];
  printGoals(goals);
}

async function measureFront(place: Place, data: string, model: BenchServer, seconds: number): Promise<Added> {
  const token = await seed(data);
  const models = JSON.stringify({ instant: { baseUrl: `${model.url}/v1`, model: "instant" } });
  await using server = await serveParley(data, { env: { PARLEY_MODELS: models } });
  const front = { server, token };
  const direct = [completion(model.url)];
  const through = [chat(front)];
  await play(server.url, through, WARM_UP_SECONDS);
  await play(model.url, direct, WARM_UP_SECONDS);
  console.log(
    `\nan instant model server in front, ${CALLERS} callers, data folder ${place === "disk" ? "on disk" : "in memory"}`,
  );
  const pacedMs = printAdded(
    `each with a message every ${PACE_MS} ms or so`,
    await play(model.url, direct, seconds, PACE_MS),
    await play(server.url, through, seconds, PACE_MS),
  );
  printAdded(
    "as fast as they can",
    await play(model.url, direct, seconds),
    await play(server.url, through, seconds),
  );
  if (place === "memory") await measureStreams(front, seconds);
  return { pacedMs };
}

async function seed(data: string): Promise<string> {
  const { stdout, stderr } = await runExecutable(["seed", "-", "--issue-tokens", "--data", data], {
    cwd: data,
    stdin: JSON.stringify(BOT),
  });
  const token = /parley_et_\w+/.exec(stdout + stderr)?.[0];
  if (token === undefined) throw new Error(stderr);
  return token;
}

function completion(origin: string): PlannedRequest {
  const body = { model: "instant", messages: [{ role: "user", content: QUESTION }] };
  return plannedPost(origin, "/v1/chat/completions", {}, body);
}

function chat({ server, token }: Front, accept = "application/json"): PlannedRequest {
  const headers = { Authorization: `Bearer ${token}`, Accept: accept };
  return plannedPost(server.url, "/chat", headers, { botId: BOT.id, input: QUESTION });
}

function play(
  origin: string,
  requests: PlannedRequest[],
  seconds: number,
  pauseMs?: number,
): Promise<LoadResult> {
  return runLoad({ origin, requests, seconds, callers: CALLERS, ...(pauseMs !== undefined && { pauseMs }) });
}

/** @returns milliseconds added to the p50. */
function printAdded(name: string, direct: LoadResult, parley: LoadResult): number {
  const line = (label: string, p50Ms: number, p99Ms: number, rest = "") =>
    console.log(`    ${label.padEnd(14)} p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms${rest}`);
  const rate = ({ perSecond }: LoadResult) => `   ${perSecond.toFixed(0)} a second`;
  const addedMs = parley.p50Ms - direct.p50Ms;
  console.log(`  ${name}`);
  line("model server", direct.p50Ms, direct.p99Ms, rate(direct));
  line("through parley", parley.p50Ms, parley.p99Ms, rate(parley));
  line("added", addedMs, parley.p99Ms - direct.p99Ms);
  return addedMs;
}

async function measureStreams(front: Front, seconds: number): Promise<void> {
  const streamed = [chat(front, "text/event-stream")];
  const { server } = front;
  let turns = 0;
  const steps: string[] = [];
  // The heap grows to its size during the first thousands of turns.
  await play(server.url, streamed, 2 * seconds);
  for (let step = 0; step < STREAM_STEPS; step += 1) {
    const { requests } = await play(server.url, streamed, seconds);
    turns += requests;
    steps.push(residentMegabytesOf(server.pid).toFixed(0));
  }
  console.log(`  ${turns} streamed turns: ${steps.join(", ")} MB resident after each fifth, and some before`);
}
