/**
 * `npm run bench:console`: times of the console's pages at a million messages, and of `/chat` while somebody looks at them.
 * `-- --messages 10` stores ten million in place of one; `--seconds N` is the length of a load.
 */
import { statSync } from "node:fs";
import { parseArgs } from "node:util";

import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { type Goal, printGoals } from "../goals.ts";
import { measureLoad, MEASURED_HEAD, measuredLine, type Measured } from "../load/measure.ts";
import { printMachine } from "../machine.ts";
import { copyConversations } from "../scale/bulk-rows.ts";
import { emptyShop, holdConversation } from "../scale/scale-shop.ts";
import { type BenchServer, serveParley } from "../servers/serve.ts";
import { chatRequests, TURNS, type Shop } from "../servers/shop.ts";
import { varyTurns, wordAt } from "./fill.ts";
import { freePort, type Operator, signIn } from "./operator.ts";
import { lookAtPages } from "./pages.ts";

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "1" },
    seconds: { type: "string", default: "8" },
    generator: { type: "string" },
  },
});
const count = Math.round(Number(values.messages) * 1e6);
const seconds = Number(values.seconds);
const TIMES = 20;
const CALLERS = 64;
/** Pause between requests, as of an operator with three pages open: lists ask for newer entries every few seconds. */
const POLL_MS = 1000;
/** Goal for the p50 of a page. */
const PAGE_MS = 100;
/** Turns that are counted at a time while nobody is served. */
const STEP = 400;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Words by how frequent they are: the second most frequent, and one of several thousand. */
const FREQUENT = wordAt(1);
const RARE = wordAt(15_000);

function pagesOf(botId: string, cursor: string): Record<string, string> {
  const monthAgo = Date.now() - 30 * DAY_MS;
  return {
    "overview, 24 hours": "/overview?period=24h&compare=1",
    "overview, 90 days": "/overview?period=90d&compare=1",
    "overview of a bot, 30 days": `/overview?bot=${botId}&compare=1`,
    "improve, 30 days": "/improve",
    conversations: "/conversations",
    "conversations, the next page": `/conversations?cursor=${cursor}`,
    "conversations of a bot": `/conversations?bot=${botId}`,
    "conversations, refused": "/conversations?decision=refused",
    "conversations, failed (none)": "/conversations?decision=failed",
    "conversations, by intent": "/conversations?intent=account.deletion",
    "conversations of a month ago": `/conversations?to=${monthAgo}&decision=unmatched`,
    "search, a frequent word": `/conversations?q=${FREQUENT}`,
    "search, a rare word": `/conversations?q=${RARE}`,
    "search, two letters": `/conversations?q=${FREQUENT.slice(0, 2)}`,
    "search, no such word": "/conversations?q=nosuchword",
    "search, two words, refused": `/conversations?q=${FREQUENT}%20${RARE.slice(0, 4)}&decision=refused`,
  };
}

/** Fills the folder, and counts it as a server would in the end. */
async function fill(data: string, shop: Shop): Promise<void> {
  await holdConversation(data, shop);
  copyConversations(data, count / TURNS, TURNS, varyTurns);
  const before = statSync(`${data}/parley.db`).size;
  await using store = new SqliteStore({ dataDir: data, now: Date.now, busyTimeoutMs: 1000 });
  const startedAt = performance.now();
  while ((await store.analytics.countTurns(STEP)).mayGoOn);
  const micro = ((performance.now() - startedAt) * 1000) / count;
  const bytes = (statSync(`${data}/parley.db`).size - before) / count;
  console.log(
    `${count} messages were counted and indexed in ${micro.toFixed(0)} µs and ${bytes.toFixed(0)} bytes each`,
  );
}

async function timePages(operator: Operator, botId: string): Promise<Goal[]> {
  const { next } = JSON.parse(await operator.get("/conversations")) as { next: string };
  const goals: Goal[] = [];
  console.log(
    `\n${"page".padEnd(46)}${["first ms", "p50 ms", "max ms"].map((name) => name.padStart(10)).join("")}`,
  );
  for (const [name, path] of Object.entries(pagesOf(botId, next))) {
    const first = await timeOf(operator, path);
    const times: number[] = [];
    while (times.length < TIMES) times.push(await timeOf(operator, path));
    const sorted = times.toSorted((a, b) => a - b);
    const [p50, max] = [sorted[TIMES >> 1]!, sorted.at(-1)!];
    console.log(`${name.padEnd(46)}${[first, p50, max].map((ms) => ms.toFixed(1).padStart(10)).join("")}`);
    goals.push({ what: `${name}: p50 ms`, value: p50, atMost: PAGE_MS });
  }
  return goals;
}

async function timeOf(operator: Operator, path: string): Promise<number> {
  const startedAt = performance.now();
  await operator.get(path);
  return performance.now() - startedAt;
}

/** `/chat` alone, and while an operator looks at pages. */
async function compareChat(server: BenchServer, operator: Operator, shop: Shop): Promise<Goal[]> {
  const plan = { requests: chatRequests(server.url, shop), turns: TURNS, callers: CALLERS, seconds };
  await measureLoad(server, { ...plan, seconds: 2 });
  console.log(`\n${MEASURED_HEAD}`);
  const alone = await measureLoad(server, plan);
  console.log(measuredLine("POST /chat", alone));
  const watched = await whilePolling(operator, shop.botId, () => measureLoad(server, plan));
  console.log(measuredLine("POST /chat beside a console", watched));
  return [
    {
      what: "p99 of /chat beside a console, to that without",
      value: watched.p99Ms / alone.p99Ms,
      atMost: 1.1,
    },
  ];
}

async function whilePolling(
  operator: Operator,
  botId: string,
  load: () => Promise<Measured>,
): Promise<Measured> {
  const { newest } = JSON.parse(await operator.get("/conversations")) as { newest: string };
  const paths = [
    "/overview",
    `/conversations?newer=${newest}`,
    `/conversations?bot=${botId}&q=${RARE}`,
    "/improve",
  ];
  let isEnded = false;
  const polling = (async () => {
    for (let i = 0; !isEnded; i++) {
      await operator.get(paths[i % paths.length]!);
      await Bun.sleep(POLL_MS);
    }
  })();
  const measured = await load();
  isEnded = true;
  await polling;
  return measured;
}

printMachine();
using folder = await emptyShop();
const { path, shop } = folder;
await fill(path, shop);
const operatorPort = await freePort();
await using server = await serveParley(path, { operatorPort });
const operator = await signIn(path, `http://127.0.0.1:${operatorPort}`);
const goals = await timePages(operator, shop.botId);
const looked = await lookAtPages(`http://127.0.0.1:${operatorPort}`, operator);
printGoals([...goals, ...looked, ...(await compareChat(server, operator, shop))]);
