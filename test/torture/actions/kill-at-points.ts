import type { Random } from "../../../src/intent/training/random.ts";
import { eventually } from "../../support/eventually.ts";
import type { ServingExecutable } from "../../support/executable.ts";
import type { Line } from "../callers.ts";
import type { TortureFolder } from "../folder.ts";
import { kill, serve } from "../server.ts";
import type { Tally } from "../tally.ts";
import { Cancellation, FORGET_PROOFS } from "./cancellation.ts";
import { holdWriters } from "./hold-writers.ts";
import { OrdersDesk } from "./orders-desk.ts";

interface PointsOptions {
  folder: TortureFolder;
  /** How often servers are killed at each point. */
  times: number;
  /** By `performance.now()`. */
  until: number;
  random: Random;
  tally: Tally;
  say: (line: string) => void;
}

/** Two servers, the visitors of both, and the endpoint that the servers call. */
interface Scene extends PointsOptions {
  desk: OrdersDesk;
  servers: readonly ServingExecutable[];
  lines: readonly Line[];
  visitors: readonly Cancellation[];
}

const SERVERS = 2;
const VISITORS = 4;
/** Until the servers have come to where they cannot go on. */
const MAX_WAIT_MS = 300;

/** Each ends with the servers killed there, and with how often each order's endpoint is called in the end. */
const POINTS: readonly { name: string; calls: 0 | 1; killThere: (scene: Scene) => Promise<void> }[] = [
  { name: "before it is asked", calls: 1, killThere: beforeAsking },
  { name: "before the claim", calls: 1, killThere: beforeClaim },
  { name: "between the claim and the call", calls: 0, killThere: beforeCall },
  { name: "during the call", calls: 1, killThere: duringCall },
  { name: "between the call and the turn", calls: 1, killThere: afterCall },
];

/**
 * Visitors confirm an action to two servers at once, which are killed at each point of it. Others take their place, to which everything is said again under the
 * same keys. No action is done twice, none is said to be done that was not, and none that may have begun is done by itself.
 */
export async function killAtPoints(options: PointsOptions): Promise<void> {
  const { folder, times, until, tally, say } = options;
  await using desk = await OrdersDesk.open();
  let orders = 0;
  const visitor = () => new Cancellation(orders++, tally);
  for (let time = 0; time < times && performance.now() < until; time++) {
    const visits: { visitors: Cancellation[]; point: (typeof POINTS)[number] }[] = [];
    for (const point of POINTS) {
      const visitors = Array.from({ length: VISITORS }, visitor);
      const servers = await startTwo(folder, desk);
      await point.killThere({ ...options, desk, servers, visitors, lines: linesOf(folder, servers) });
      tally.tried.kills += servers.length;
      visits.push({ visitors, point });
    }
    await folder.rows(FORGET_PROOFS);
    desk.answering = () => ({ fate: "does" });
    const servers = await startTwo(folder, desk);
    const lines = linesOf(folder, servers);
    await Promise.all(visits.flatMap(({ visitors }) => visitors.map((one) => one.insist(lines))));
    for (const { visitors, point } of visits) {
      for (const one of visitors) one.compare(desk, `killed ${point.name}`, point.calls);
    }
    for (const server of servers) await server[Symbol.asyncDispose]();
    say(
      `${tally.tried.actions} actions, killed at ${POINTS.length} points, done twice ${tally.wrong.doneTwice}`,
    );
  }
}

/** One after the other: a data folder that was not closed is opened by one server at a time. */
async function startTwo(folder: TortureFolder, { env }: OrdersDesk): Promise<ServingExecutable[]> {
  const servers: ServingExecutable[] = [];
  while (servers.length < SERVERS) servers.push(await serve(folder, { env }));
  return servers;
}

function linesOf({ token }: TortureFolder, servers: readonly ServingExecutable[]): Line[] {
  return servers.map(({ url }) => ({ url, token }));
}

async function killAll({ servers }: Scene): Promise<void> {
  await Promise.all(servers.map(kill));
}

async function askAll({ visitors, lines }: Scene): Promise<void> {
  await Promise.all(visitors.map((one, at) => one.ask([lines[at % lines.length]!])));
}

/** Every other visitor's yes is one message, sent to both servers; the others say it twice. */
async function confirmAll({ visitors, lines }: Scene): Promise<void> {
  await Promise.all(visitors.map((one, at) => one.confirm(lines, { isOneMessage: at % 2 === 0 })));
}

async function beforeAsking(scene: Scene): Promise<void> {
  await using _ = await holdWriters(scene.folder);
  const asking = askAll(scene);
  await Bun.sleep(scene.random() * MAX_WAIT_MS);
  await killAll(scene);
  await asking;
}

async function beforeClaim(scene: Scene): Promise<void> {
  await askAll(scene);
  await using _ = await holdWriters(scene.folder);
  const confirming = confirmAll(scene);
  await Bun.sleep(scene.random() * MAX_WAIT_MS);
  await killAll(scene);
  await confirming;
}

/** The endpoint takes the connection, and not what is sent. */
async function beforeCall(scene: Scene): Promise<void> {
  const { folder, desk, visitors } = scene;
  const claimed = async () => (await folder.rows("SELECT id FROM actions WHERE state = 'begun'")).length;
  await askAll(scene);
  const before = await claimed();
  desk.freeze();
  const confirming = confirmAll(scene);
  await eventually(async () => (await claimed()) === before + visitors.length);
  await killAll(scene);
  desk.thaw();
  await confirming;
}

async function duringCall(scene: Scene): Promise<void> {
  const { desk } = scene;
  await askAll(scene);
  desk.answering = () => ({ fate: "does", after: new Promise(() => {}) });
  const confirming = confirmAll(scene);
  await eventually(() => areCalled(scene));
  await killAll(scene);
  await confirming;
}

/** The endpoint answers, and what came of it cannot be stored. */
async function afterCall(scene: Scene): Promise<void> {
  const { folder, desk, random } = scene;
  await askAll(scene);
  const held = Promise.withResolvers<void>();
  desk.answering = () => ({ fate: "does", after: held.promise });
  const confirming = confirmAll(scene);
  await eventually(() => areCalled(scene));
  await using _ = await holdWriters(folder);
  held.resolve();
  await Bun.sleep(random() * MAX_WAIT_MS);
  await killAll(scene);
  await confirming;
}

function areCalled({ desk, visitors }: Scene): boolean {
  return visitors.every(({ order }) => desk.callsOf(order).length > 0);
}
