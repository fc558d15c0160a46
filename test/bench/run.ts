/** `npm run bench`: start, memory and throughput of the compiled executable, beside a bare server in the same run; `-- judging`: see judging.ts. */
import { cpus } from "node:os";

import { parse } from "yaml";

import { emptyFolder, runExecutable, serveExecutable } from "../support/executable.ts";
import { type LoadResult, median, runLoad } from "./load.ts";
import { benchModel } from "./model.ts";

const STARTS = 9;
const REQUESTS = 8000;
const CONCURRENCY = 16;
const MESSAGE = { botId: "acme-support", input: "where is my order?" };

/** The sample shop, without the limits that a benchmark would run into. */
async function seedShop(folder: string): Promise<string> {
  const sample = await Bun.file(`${import.meta.dir}/../../data/acme-support.yaml`).text();
  const { rateLimit: _, monthlyMessageCap: __, ...shop } = parse(sample) as Record<string, unknown>;
  const stdin = JSON.stringify(shop);
  await expectDone(await runExecutable(["seed", "-"], { cwd: folder, stdin }));
  const created = await runExecutable(["token", "create", "--bot", MESSAGE.botId, "--json"], { cwd: folder });
  await expectDone(created);
  return (JSON.parse(created.stdout) as { token: string }).token;
}

async function expectDone({ exitCode, stderr }: { exitCode: number; stderr: string }): Promise<void> {
  if (exitCode !== 0) throw new Error(stderr);
}

async function measureStarts(folder: string): Promise<number> {
  const startsMs: number[] = [];
  for (let i = 0; i < STARTS; i += 1) {
    await using serving = await serveExecutable(folder, ["--log-level", "warn"]);
    startsMs.push(serving.startMs);
  }
  return median(startsMs);
}

async function residentMegabytes(operatorUrl: string): Promise<number> {
  const metrics = await (await fetch(`${operatorUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / 1e6;
}

interface Comparison {
  name: string;
  parley: LoadResult;
  bare: LoadResult;
}

/** Both take turns, so that a noisy moment meets both. */
async function compare(name: string, url: string, request: RequestInit): Promise<Comparison> {
  const sample = await (await fetch(url, request)).text();
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/bare-server.ts`, sample], {
    stdout: "pipe",
  });
  try {
    const { value } = await child.stdout.getReader().read();
    const bareUrl = new TextDecoder().decode(value).trim();
    const rounds: Comparison[] = [];
    await runLoad(() => fetch(url, request), REQUESTS / 4, CONCURRENCY);
    for (let round = 0; round < 3; round += 1) {
      const bare = await runLoad(() => fetch(bareUrl, request), REQUESTS, CONCURRENCY);
      const parley = await runLoad(() => fetch(url, request), REQUESTS, CONCURRENCY);
      rounds.push({ name, parley, bare });
    }
    return rounds.toSorted((a, b) => a.parley.perSecond - b.parley.perSecond)[1]!;
  } finally {
    child.kill();
  }
}

function printComparison({ name, parley, bare }: Comparison): void {
  const ratio = (a: number, b: number) => (a / b).toFixed(2);
  const line = (label: string, { perSecond, p50Ms, p99Ms }: LoadResult) =>
    console.log(
      `  ${label.padEnd(12)} ${perSecond.toFixed(0).padStart(7)} a second   p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms`,
    );
  console.log(`${name}, ${CONCURRENCY} callers, ${REQUESTS} requests`);
  line("parley", parley);
  line("bare server", bare);
  console.log(
    `  ratio        throughput ${ratio(parley.perSecond, bare.perSecond)}   p50 ${ratio(parley.p50Ms, bare.p50Ms)}   p99 ${ratio(parley.p99Ms, bare.p99Ms)}`,
  );
}

if (process.argv.includes("judging")) {
  await import("./judging.ts");
  process.exit();
}

const folder = emptyFolder();
const token = await seedShop(folder);
console.log(`${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Bun ${Bun.version}`);
console.log(
  `start to first 200   ${(await measureStarts(folder)).toFixed(0)} ms (median of ${STARTS}; goal 150)`,
);
await using serving = await serveExecutable(folder, [
  "--log-level",
  "warn",
  "--rate-limit-capacity",
  "1000000",
  "--rate-limit-per-minute",
  "1000000",
]);
console.log(
  `idle memory          ${(await residentMegabytes(serving.operatorUrl)).toFixed(0)} MB resident (goal 120)`,
);
printComparison(await compare("GET /embed-config", `${serving.url}/embed-config?botId=${MESSAGE.botId}`, {}));
printComparison(
  await compare("POST /chat (each message on disk)", `${serving.url}/chat`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(MESSAGE),
  }),
);
console.log(`memory after load    ${(await residentMegabytes(serving.operatorUrl)).toFixed(0)} MB resident`);
await benchModel();
