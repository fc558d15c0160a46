import { type Goal, printGoals } from "./goals.ts";
import {
  type Measured,
  type Load,
  MEASURED_HEAD,
  measureLoad,
  measuredLine,
  middleOf,
} from "./load/measure.ts";
import { type PlannedRequest, plannedGet, plannedPost } from "./load/plan.ts";
import { dataFolder, isInMemory } from "./servers/data-folder.ts";
import { measureSync, type SyncLatency } from "./servers/fsync.ts";
import { residentMegabytesOf } from "./servers/process-usage.ts";
import { type BenchServer, serveBare, serveParley, serveStoreless } from "./servers/serve.ts";
import { chatRequests, seedShop, type Shop, TURNS } from "./servers/shop.ts";

const STARTS = 9;
const ROUNDS = 3;
const WARM_UP_SECONDS = 2;

/** The servers of a run; all but the measured one are idle. */
type ServerName = "disk" | "memory" | "logging" | "storeless" | "bare chat" | "bare config";

/** A load against one of the servers. */
interface Row extends Load {
  server: ServerName;
  requestsTo: (origin: string) => PlannedRequest[];
}

type RowName = keyof ReturnType<typeof rowsOf>;
/** Measures of the rows. */
type Figures = Record<RowName, Measured>;

/** Prints the table of the executable: throughput, processor time and latency of each route, beside two ceilings. */
export async function printTable(seconds: number): Promise<void> {
  using seeded = dataFolder("disk");
  using onDisk = dataFolder("disk");
  const shop = await seedShop(seeded.path);
  const sync = measureSync(onDisk.path);
  printLoad(sync, onDisk.path, shop);
  const idle = await measureStarts(seeded.path);
  await using servers = await startServers(seeded.path, shop);
  const figures = await measureRows(rowsOf(shop), servers, seconds);
  console.log(
    `memory after load: ${residentMegabytesOf(servers.get("disk").pid).toFixed(0)} MB resident on disk, ${residentMegabytesOf(servers.get("memory").pid).toFixed(0)} MB in memory`,
  );
  printGoals(goalsOf(figures, sync, idle));
}

function printLoad({ p50Ms, p99Ms }: SyncLatency, folder: string, { messages, tokens }: Shop): void {
  const floor = isInMemory(folder) ? "TMPDIR IS IN MEMORY: figures of the disk mean nothing" : "";
  console.log(`fdatasync of a 4 KB append: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms ${floor}`);
  console.log(
    `load: ${messages.length} messages that need no encoder, ${tokens.length} embed tokens, conversations of ${TURNS} turns\n`,
  );
}

interface Idle {
  startMs: number;
  residentMegabytes: number;
}

async function measureStarts(seeded: string): Promise<Idle> {
  using copy = dataFolder("disk", seeded);
  const starts: Idle[] = [];
  while (starts.length < STARTS) {
    await using server = await serveParley(copy.path);
    await Bun.sleep(SETTLE_MS);
    starts.push({ startMs: server.startMs, residentMegabytes: residentMegabytesOf(server.pid) });
  }
  return starts.toSorted((a, b) => a.startMs - b.startMs)[STARTS >> 1]!;
}

/** Wait before the measurement, until a server's first timers have run. */
const SETTLE_MS = 300;

interface Servers extends AsyncDisposable {
  get(name: ServerName): BenchServer;
}

async function startServers(seeded: string, shop: Shop): Promise<Servers> {
  await using opened = new AsyncDisposableStack();
  const copy = (place: "disk" | "memory") => opened.use(dataFolder(place, seeded)).path;
  const byName = new Map<ServerName, BenchServer>();
  const add = async (name: ServerName, starting: Promise<BenchServer>) => {
    byName.set(name, opened.use(await starting));
  };
  await add("disk", serveParley(copy("disk")));
  await add("memory", serveParley(copy("memory")));
  await add("logging", serveParley(copy("memory"), { logLevel: "info" }));
  await add("storeless", serveStoreless(copy("memory")));
  const { url } = byName.get("memory")!;
  await add("bare chat", serveBare(await answerOf(chatRequests(url, shop)[0]!, url)));
  await add("bare config", serveBare(await (await fetch(`${url}${configPath(shop)}`)).text()));
  const owned = opened.move();
  return { get: (name) => byName.get(name)!, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function answerOf({ head, body }: PlannedRequest, url: string): Promise<string> {
  const Authorization = /Authorization: (.*)\r\n/.exec(head)![1]!;
  const headers = { Authorization, "Content-Type": "application/json" };
  return (await fetch(`${url}/chat`, { method: "POST", headers, body: body! })).text();
}

function configPath({ botId }: Shop): string {
  return `/embed-config?botId=${botId}`;
}

function rowsOf(shop: Shop) {
  const { botId, tokens } = shop;
  const requestsTo = (origin: string) => chatRequests(origin, shop);
  const blankTo = (origin: string) =>
    tokens.map((token) =>
      plannedPost(origin, "/chat", { Authorization: `Bearer ${token}` }, { botId, input: "  " }),
    );
  const configTo = (origin: string) => [plannedGet(origin, configPath(shop))];
  const healthTo = (origin: string) => [plannedGet(origin, "/healthz")];
  const chat = (server: ServerName, callers: number): Row => ({
    server,
    requestsTo,
    callers,
    turns: TURNS,
  });
  return {
    "/chat scripted, 1 caller": chat("disk", 1),
    "/chat scripted, 16 callers": chat("disk", 16),
    "/chat scripted, 64 callers": chat("disk", 64),
    "16 callers, data folder in memory": chat("memory", 16),
    "16 callers, in memory, request log at info": chat("logging", 16),
    "64 callers, in memory": chat("memory", 64),
    "64 callers, the disk write left out": chat("storeless", 64),
    "/chat refused with 400 (blank input), 64": {
      server: "memory",
      requestsTo: blankTo,
      callers: 64,
      expectedStatus: 400,
    },
    "/embed-config, 64 callers": { server: "memory", requestsTo: configTo, callers: 64 },
    "/healthz, 64 callers": { server: "memory", requestsTo: healthTo, callers: 64 },
    "bare Bun.serve, the bytes of /chat, 64": { server: "bare chat", requestsTo, callers: 64 },
    "bare Bun.serve, the bytes of /embed-config, 64": {
      server: "bare config",
      requestsTo: configTo,
      callers: 64,
    },
  } satisfies Record<string, Row>;
}

/** Rows take turns, so that a noisy moment affects all of them. */
async function measureRows(rows: Record<RowName, Row>, servers: Servers, seconds: number): Promise<Figures> {
  const entries = Object.entries(rows) as [RowName, Row][];
  const rounds: Measured[][] = entries.map(() => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    const isWarmUp = round === 0;
    process.stderr.write(isWarmUp ? "warming up\n" : `round ${round} of ${ROUNDS}\n`);
    for (const [index, [, row]] of entries.entries()) {
      const measured = await measureRow(row, servers, isWarmUp ? WARM_UP_SECONDS : seconds);
      if (!isWarmUp) rounds[index]!.push(measured);
    }
  }
  const figures = entries.map(([name], index) => [name, middleOf(rounds[index]!)] as const);
  console.log(`the round in the middle of ${ROUNDS} by throughput, ${seconds} s each\n${MEASURED_HEAD}`);
  for (const [name, measured] of figures) console.log(measuredLine(name, measured));
  return Object.fromEntries(figures) as Figures;
}

function measureRow(
  { server: name, requestsTo, ...load }: Row,
  servers: Servers,
  seconds: number,
): Promise<Measured> {
  const server = servers.get(name);
  return measureLoad(server, { ...load, requests: requestsTo(server.url), seconds });
}

/** The goals of the table; `figures` names each row once. */
function goalsOf(figures: Figures, sync: SyncLatency, idle: Idle): Goal[] {
  const [one, sixteen, sixtyFour] = [
    figures["/chat scripted, 1 caller"],
    figures["/chat scripted, 16 callers"],
    figures["/chat scripted, 64 callers"],
  ];
  const storeless = figures["64 callers, the disk write left out"];
  const bareChat = figures["bare Bun.serve, the bytes of /chat, 64"];
  const bareConfig = figures["bare Bun.serve, the bytes of /embed-config, 64"];
  const config = figures["/embed-config, 64 callers"];
  return [
    { what: "/chat durable, 64 callers: a second", value: sixtyFour.perSecond, atLeast: 20_000 },
    { what: "/chat durable, 64 callers: CPU µs", value: sixtyFour.cpuMicroseconds, atMost: 45 },
    { what: "/chat durable, 16 callers: a second", value: sixteen.perSecond, atLeast: 12_000 },
    { what: "/chat durable, 16 callers: CPU µs", value: sixteen.cpuMicroseconds, atMost: 60 },
    { what: "/chat durable, 16 callers: p99 ms", value: sixteen.p99Ms, atMost: 5 },
    { what: "1 caller, p50 above the disk's own fsync: ms", value: one.p50Ms - sync.p50Ms, atMost: 0.12 },
    {
      what: "to the same without the disk write, 64 callers",
      value: sixtyFour.perSecond / storeless.perSecond,
      atLeast: 0.6,
    },
    {
      what: "to bare Bun.serve, 64 callers",
      value: sixtyFour.perSecond / bareChat.perSecond,
      atLeast: 0.25,
    },
    { what: "/embed-config to bare Bun.serve", value: config.perSecond / bareConfig.perSecond, atLeast: 0.9 },
    { what: "start to first 200: ms", value: idle.startMs, atMost: 150 },
    { what: "idle memory: MB", value: idle.residentMegabytes, atMost: 75 },
  ];
}
