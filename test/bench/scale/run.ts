/**
 * `npm run bench:scale`: how cost grows with the stored data. `-- --messages 10` stores ten million messages instead of one million; `--seconds N`
 * is the length of a load; `--only messages,bots,turns,limiter,crash` leaves parts out.
 */
import { parseArgs } from "node:util";

import { type Goal, printGoals } from "../goals.ts";
import { MEASURED_HEAD } from "../load/measure.ts";
import { type PlannedRequest, plannedPost } from "../load/plan.ts";
import { printMachine } from "../machine.ts";
import { dataFolder } from "../servers/data-folder.ts";
import { serveParley } from "../servers/serve.ts";
import { chatRequests, type Shop, TURNS } from "../servers/shop.ts";
import { copyBots, copyConversations } from "./bulk-rows.ts";
import { compare, comparedTo, measureStart, printStart, type Started } from "./compare.ts";
import type { LimiterCost } from "./limiter.ts";
import { crashUnderLoad, emptyShop, holdConversation, issueTokens, type SeededShop } from "./scale-shop.ts";

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "1" },
    seconds: { type: "string", default: "4" },
    only: { type: "string", default: "messages,bots,turns,limiter,crash" },
    generator: { type: "string" },
  },
});
const seconds = Number(values.seconds);
const millions = Number(values.messages);
const CALLERS = 64;
const BOTS = [10, 1000, 10_000];
/** Bots that get messages at one time; each has its model open. */
const SPOKEN_BOTS = 100;
/** Number of active conversations by their number of turns; many if a load would soon make them longer. */
const CONVERSATION_LENGTHS = [
  { turns: 2, conversations: 8000 },
  { turns: 20, conversations: 2000 },
  { turns: 200, conversations: 400 },
  { turns: 2000, conversations: 100 },
];

async function scaleMessages({ path, shop }: SeededShop): Promise<Goal[]> {
  const count = millions * 1e6;
  using empty = dataFolder("disk", path);
  using full = dataFolder("disk", path);
  await holdConversation(full.path, shop);
  const startedAt = performance.now();
  copyConversations(full.path, count / TURNS, TURNS);
  const bytes = Bun.file(`${full.path}/parley.db`).size;
  console.log(
    `\n${count} messages were written in ${((performance.now() - startedAt) / 1000).toFixed(0)} s; ${(bytes / count).toFixed(0)} bytes each`,
  );
  printStart("an empty file", await measureStart(empty.path));
  const started = await measureStart(full.path);
  printStart(`${count} messages`, started);
  console.log(MEASURED_HEAD);
  const requestsTo = (origin: string) => chatRequests(origin, shop);
  const load = { requestsTo, turns: TURNS, callers: CALLERS };
  const compared = await compare(
    [
      { ...load, name: `an empty file, ${CALLERS} callers`, data: empty.path },
      { ...load, name: `${count} messages`, data: full.path },
    ],
    seconds,
  );
  return comparedTo(`${millions} million messages`, compared);
}

async function scaleBots({ path, shop }: SeededShop): Promise<Goal[]> {
  console.log("\nbots, each a copy of the sample shop");
  using single = dataFolder("disk", path);
  const goals: Goal[] = [];
  for (const count of BOTS) {
    using many = dataFolder("disk", path);
    const botIds = copyBots(many.path, count);
    const shops = await issueTokens(many.path, shop, botIds.slice(0, SPOKEN_BOTS));
    const started = await measureStart(many.path);
    printStart(`${count} bots`, started);
    if (count === 1000) goals.push(...goalsOfThousand(started));
    console.log(MEASURED_HEAD);
    const load = { turns: 1, callers: CALLERS };
    const compared = await compare(
      [
        { ...load, name: "1 bot", data: single.path, requestsTo: (origin) => chatRequests(origin, shop) },
        {
          ...load,
          name: `${count} bots, ${shops.length} of which are talked to`,
          data: many.path,
          requestsTo: (origin) => interleave(shops, origin),
        },
      ],
      seconds,
    );
    if (count === BOTS.at(-1)) goals.push(...comparedTo(`${count} bots`, compared));
  }
  return goals;
}

function goalsOfThousand({ startMs, residentMegabytes }: Started): Goal[] {
  return [
    { what: "start to first 200 with 1,000 bots: ms", value: startMs, atMost: 150 },
    { what: "idle memory with 1,000 bots of 20 intents: MB", value: residentMegabytes, atMost: 350 },
  ];
}

/** Interleaves the lists, so that neighbours are messages to different bots. */
function interleave(shops: readonly Shop[], origin: string): PlannedRequest[] {
  return shops[0]!.messages.flatMap((input, at) =>
    shops
      .filter((_, index) => index % MESSAGE_STEP === at % MESSAGE_STEP)
      .map(({ botId, tokens }) =>
        plannedPost(origin, "/chat", { Authorization: `Bearer ${tokens[0]}` }, { botId, input }),
      ),
  );
}

/** Each bot gets every tenth message; all would tell no more. */
const MESSAGE_STEP = 10;

async function scaleTurns({ path, shop }: SeededShop): Promise<Goal[]> {
  console.log(`\nconversations by the turns that they have already\n${MEASURED_HEAD}`);
  using folder = dataFolder("disk", path);
  await holdConversation(folder.path, shop);
  using template = dataFolder("disk", folder.path);
  for (const { turns, conversations } of CONVERSATION_LENGTHS) {
    using copy = dataFolder("disk", template.path);
    const ids = copyConversations(copy.path, conversations, turns);
    await compare(
      [
        {
          name: `${turns} turns`,
          data: copy.path,
          requestsTo: (origin) => ids.map((id, index) => messageIn(id, index, shop, origin)),
          turns: 1,
          callers: 16,
        },
      ],
      seconds,
    );
  }
  return [];
}

function messageIn(conversationId: string, index: number, shop: Shop, origin: string): PlannedRequest {
  const { botId, tokens, messages } = shop;
  const Authorization = `Bearer ${tokens[index % tokens.length]}`;
  const input = messages[index % messages.length];
  return plannedPost(origin, "/chat", { Authorization }, { botId, input, conversationId });
}

async function scaleLimiter(): Promise<Goal[]> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/limiter.ts`], { stdout: "pipe" });
  const cost = (await new Response(child.stdout).json()) as LimiterCost;
  const { callers, bytesEach, newNanoseconds, knownNanoseconds } = cost;
  console.log(
    `\n${callers} callers in the limiter: ${bytesEach.toFixed(0)} bytes each; a message takes ${knownNanoseconds.toFixed(0)} ns, a caller's first ${newNanoseconds.toFixed(0)} ns`,
  );
  return [{ what: "memory per idle caller in the limiter: bytes", value: bytesEach, atMost: 100 }];
}

/** Only the first start after the crash counts, because only it has to catch up. */
async function scaleCrash({ path, shop }: SeededShop): Promise<Goal[]> {
  using folder = dataFolder("disk", path);
  await crashUnderLoad(folder.path, shop, 2 * seconds);
  await using server = await serveParley(folder.path);
  console.log(`\nafter kill -9 under load: first 200 after ${server.startMs.toFixed(0)} ms`);
  return [{ what: "start after kill -9 under load: ms", value: server.startMs, atMost: 1000 }];
}

const PARTS: Record<string, (seeded: SeededShop) => Promise<Goal[]>> = {
  messages: scaleMessages,
  bots: scaleBots,
  turns: scaleTurns,
  limiter: scaleLimiter,
  crash: scaleCrash,
};

printMachine();
using seeded = await emptyShop();
const goals: Goal[] = [];
for (const part of values.only.split(",")) goals.push(...(await PARTS[part]!(seeded)));
printGoals(goals);
