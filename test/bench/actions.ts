import { runExecutable } from "../support/executable.ts";
import { ordersBot } from "../support/orders-bot.ts";
import { printGoals } from "./goals.ts";
import { median } from "./load/plan.ts";
import { dataFolder } from "./servers/data-folder.ts";
import { serveBare, serveParley } from "./servers/serve.ts";

/** Messages of conversations with two turns; the second turn is measured. */
const TALKS = {
  "a plain answer": ["when are you open", "are you open on sunday"],
  "fills a slot, and asks for another": ["where is my order", "48213"],
  "fills a slot, and calls": ["where is my order 48213", "ann@example.org"],
} as const;
type TalkName = keyof typeof TALKS;
const NAMES = Object.keys(TALKS) as TalkName[];
/** The expected action state of the second turn; with another one, something else would be measured. */
const STATES: Readonly<Record<TalkName, string | undefined>> = {
  "a plain answer": undefined,
  "fills a slot, and asks for another": "asking",
  "fills a slot, and calls": "done",
};
/** Turns before the measurement, so that the code is compiled. */
const WARM_UP_ROUNDS = 300;

/**
 * Prints the time that actions add to a turn. One caller sends the kinds of turns in turns, so that a noisy moment affects all; the endpoint answers at
 * once, and the data folder is in memory.
 */
export async function printActions(seconds: number): Promise<void> {
  using folder = dataFolder("memory");
  await using endpoint = await serveBare(JSON.stringify({ state: "packing" }));
  const env = { PARLEY_ENDPOINTS: endpointsAt(endpoint.url) };
  const token = await seed(folder.path, env);
  await using server = await serveParley(folder.path, { env });
  const say = sayTo(server.url, token);
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    for (const name of NAMES) await timeTalk(say, name);
  }
  const direct: number[] = [];
  const times = new Map<TalkName, number[]>(NAMES.map((name) => [name, []]));
  const until = performance.now() + seconds * NAMES.length * 1000;
  while (performance.now() < until) {
    for (const name of NAMES) times.get(name)!.push(await timeTalk(say, name));
    direct.push(await timeDirect(endpoint.url));
  }
  const p50 = (name: TalkName) => median(times.get(name)!);
  console.log(
    `\nactions: p50 of ${times.get("a plain answer")!.length} turns of each kind, one caller, data folder in memory`,
  );
  for (const name of NAMES) console.log(`  ${name.padEnd(44)}${p50(name).toFixed(3)} ms`);
  console.log(`  ${"the endpoint by itself, a connection each".padEnd(44)}${median(direct).toFixed(3)} ms`);
  const plain = p50("a plain answer");
  printGoals([
    {
      what: "a slot that is filled without a call: µs added to p50",
      value: (p50("fills a slot, and asks for another") - plain) * 1000,
      atMost: 30,
    },
    {
      what: "a call of an instant endpoint: ms added to p50",
      value: p50("fills a slot, and calls") - plain,
      atMost: 1.5,
    },
  ]);
}

function endpointsAt(url: string): string {
  const settings = { url, bots: ["shop"], paths: ["/orders/*"], allowPrivate: true };
  return JSON.stringify({ orders: settings });
}

async function seed(data: string, env: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await runExecutable(["seed", "-", "--issue-tokens", "--data", data], {
    cwd: data,
    env,
    stdin: JSON.stringify(ordersBot({ allowedDomains: ["*"] })),
  });
  const token = /parley_et_\w+/.exec(stdout + stderr)?.[0];
  if (token === undefined) throw new Error(stderr);
  return token;
}

interface Said {
  conversationId: string;
  metadata: { action?: { state: string } };
}

type Say = (input: string, conversationId?: string) => Promise<Said>;

function sayTo(url: string, token: string): Say {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return async (input, conversationId) => {
    const body = JSON.stringify({ botId: "shop", input, conversationId });
    const answer = await fetch(`${url}/chat`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Said;
  };
}

/** @returns milliseconds of the second turn. */
async function timeTalk(say: Say, name: TalkName): Promise<number> {
  const [first, second] = TALKS[name];
  const { conversationId } = await say(first);
  const startedAt = performance.now();
  const { metadata } = await say(second, conversationId);
  const took = performance.now() - startedAt;
  if (metadata.action?.state !== STATES[name]) throw new Error(`${name}: ${JSON.stringify(metadata)}`);
  return took;
}

/** @returns milliseconds of the request alone, as actions send it. */
async function timeDirect(url: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/orders/48213`, { keepalive: false });
  await answer.json();
  return performance.now() - startedAt;
}
