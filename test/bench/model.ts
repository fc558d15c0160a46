/** What the runtime adds to a model server's own time, and whether streams leave anything behind. */
import { emptyFolder, runExecutable, serveExecutable } from "../support/executable.ts";
import { type LoadResult, runLoad } from "./load.ts";

const CALLERS = 16;
const REQUESTS = 4000;
const PACED_REQUESTS = 1600;
/** Between a caller's messages in the paced run: far below what the machine can do. */
const PACE_MS = 40;
const STREAMED_TURNS = 10_000;
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

interface ModelBench extends AsyncDisposable {
  modelUrl: string;
  url: string;
  operatorUrl: string;
  token: string;
}

async function start(): Promise<ModelBench> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/instant-model.ts`], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const modelUrl = new TextDecoder().decode(value).trim();
  const cwd = emptyFolder();
  const seeded = await runExecutable(["seed", "-", "--issue-tokens"], { cwd, stdin: JSON.stringify(BOT) });
  const token = /parley_et_\w+/.exec(seeded.stdout + seeded.stderr)?.[0];
  if (token === undefined) throw new Error(seeded.stderr);
  const models = JSON.stringify({ instant: { baseUrl: `${modelUrl}/v1`, model: "instant" } });
  const limits = ["--rate-limit-capacity", "1000000", "--rate-limit-per-minute", "1000000"];
  const serving = await serveExecutable(cwd, ["--log-level", "warn", ...limits], { PARLEY_MODELS: models });
  return {
    modelUrl,
    url: serving.url,
    operatorUrl: serving.operatorUrl,
    token,
    async [Symbol.asyncDispose]() {
      await serving[Symbol.asyncDispose]();
      child.kill();
    },
  };
}

function completion({ modelUrl }: ModelBench): Promise<Response> {
  const body = { model: "instant", messages: [{ role: "user", content: QUESTION }] };
  return fetch(`${modelUrl}/v1/chat/completions`, { method: "POST", body: JSON.stringify(body) });
}

function chat({ url, token }: ModelBench, accept = "application/json"): Promise<Response> {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", Accept: accept },
    body: JSON.stringify({ botId: BOT.id, input: QUESTION }),
  });
}

/** The same callers, each pausing for a random time: what one message takes when the machine is not full. */
function paced(send: () => Promise<Response>): Promise<LoadResult> {
  return runLoad(send, PACED_REQUESTS, CALLERS, () => Bun.sleep(2 * PACE_MS * Math.random()));
}

function printAdded(name: string, direct: LoadResult, parley: LoadResult): void {
  const line = (label: string, p50Ms: number, p99Ms: number) =>
    console.log(`  ${label.padEnd(14)} p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms`);
  console.log(name);
  line("model server", direct.p50Ms, direct.p99Ms);
  line("through parley", parley.p50Ms, parley.p99Ms);
  line("added", parley.p50Ms - direct.p50Ms, parley.p99Ms - direct.p99Ms);
}

async function residentMegabytes({ operatorUrl }: ModelBench): Promise<number> {
  const metrics = await (await fetch(`${operatorUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / 1e6;
}

async function measureStreams(bench: ModelBench): Promise<void> {
  // The heap finds its size over the first thousands of turns.
  await runLoad(() => chat(bench, "text/event-stream"), STREAMED_TURNS, CALLERS);
  const steps: string[] = [];
  for (let step = 0; step < 5; step += 1) {
    await runLoad(() => chat(bench, "text/event-stream"), STREAMED_TURNS / 5, CALLERS);
    steps.push((await residentMegabytes(bench)).toFixed(0));
  }
  console.log(
    `${STREAMED_TURNS} streamed turns      ${steps.join(", ")} MB resident after each fifth, and as many before`,
  );
}

/** Prints the measurements. */
export async function benchModel(): Promise<void> {
  await using bench = await start();
  await runLoad(() => chat(bench), REQUESTS / 4, CALLERS);
  await runLoad(() => completion(bench), REQUESTS / 4, CALLERS);
  printAdded(
    `POST /chat with an instant model server, ${CALLERS} callers, each with a message every ${PACE_MS} ms or so (goal: under 1 ms added)`,
    await paced(() => completion(bench)),
    await paced(() => chat(bench)),
  );
  printAdded(
    `the same, as fast as ${CALLERS} callers can`,
    await runLoad(() => completion(bench), REQUESTS, CALLERS),
    await runLoad(() => chat(bench), REQUESTS, CALLERS),
  );
  await measureStreams(bench);
}

if (import.meta.main) await benchModel();
