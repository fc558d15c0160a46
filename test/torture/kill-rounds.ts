import type { OperatorPermission } from "../../src/domain/operator/access.ts";
import type { Random } from "../../src/intent/training/random.ts";
import type { ServingExecutable } from "../support/executable.ts";
import { makeOperatorKey } from "../support/operator-key.ts";
import { Callers, type KeyedMessage, type Line, send } from "./callers.ts";
import { Aborting } from "./deeds/aborting.ts";
import type { OperatedLine } from "./deeds/ask.ts";
import { Cancelling } from "./deeds/cancelling.ts";
import { check, Crew, type Deed, type DeedParts } from "./deeds/deed.ts";
import { Deleting } from "./deeds/deleting.ts";
import { Drafting } from "./deeds/drafting.ts";
import { HandingOff } from "./deeds/handing-off.ts";
import { Publishing } from "./deeds/publishing.ts";
import { Team } from "./deeds/telling.ts";
import { Uploading } from "./deeds/uploading.ts";
import { CAP, DRAFTED, READING, type TortureFolder, cappedBot } from "./folder.ts";
import { compareWithPostgres } from "./instances/ledger.ts";
import { type Acknowledged, compare, compareSent } from "./ledger.ts";
import { kill, serve } from "./server.ts";
import { type SlowModel, startSlowModel } from "./slow-model.ts";
import type { Tally } from "./tally.ts";

export interface RoundsOptions {
  folder: TortureFolder;
  rounds: number;
  /** By `performance.now()`. */
  until: number;
  random: Random;
  tally: Tally;
  say: (line: string) => void;
}

const EVERY_NTH_WITH_TWO = 3;
const PER_SERVER = 20;
const MAX_LIFE_MS = 700;
/** Messages that are acknowledged before a kill, at most; it is not waited for longer than that. */
const WORTH_A_KILL = 80;
const MAX_WAIT_MS = 4000;
/** Some live long enough to erase what a deleted bot left, which they look for every two seconds. */
const EVERY_NTH_LONG = 4;
const LONG_LIFE_MS = 2200;
const RETRIED_KEYS = 12;
/** On PostgreSQL, a key that a killed server was answering is free when that one's lease has run out, which takes some twenty seconds. */
const EVERY_NTH_RETRIED_ON_POSTGRES = 4;
const PERMISSIONS: readonly OperatorPermission[] = [
  "read",
  "bots.write",
  "bots.delete",
  "tokens.write",
  "handoffs.answer",
];

/** What lasts from one round to the next. */
interface Session extends RoundsOptions {
  parts: DeedParts;
  model: SlowModel;
  key: string;
  team: Team;
  deeds: readonly Deed[];
  aborting: Aborting;
  cancelling: Cancelling;
  acknowledged: Acknowledged[];
}

/**
 * Callers talk, ask for people, and leave; operators publish, upload, answer and delete. The servers are killed at a random moment, and what
 * everybody was told is compared with what is stored; many times.
 */
export async function runKillRounds(options: RoundsOptions): Promise<void> {
  const { folder, rounds, until, random, tally, say } = options;
  await using model = await startSlowModel(random);
  let numbers = 0;
  const parts: DeedParts = { folder, random, tally, nextNumber: () => ++numbers };
  using team = new Team(parts);
  const aborting = new Aborting(parts);
  await using cancelling = await Cancelling.open(parts);
  const deeds = [
    new Publishing(parts),
    ...DRAFTED.map((bot) => new Drafting(parts, bot)),
    ...READING.map((bot) => new Uploading(parts, bot)),
    new HandingOff(parts),
    new HandingOff(parts),
    new Deleting(parts),
    aborting,
    cancelling,
  ];
  const key = await makeKey(folder);
  const session: Session = {
    ...options,
    parts,
    model,
    key,
    team,
    deeds,
    aborting,
    cancelling,
    acknowledged: [],
  };
  let keyed: KeyedMessage[] = [];
  for (let round = 0; round < rounds && performance.now() < until; round++) {
    keyed = await runRound(session, round, keyed);
    if (round % 10 === 9) {
      const { kills, published, uploads, handoffs } = tally.tried;
      say(
        `round ${round + 1}: ${kills} kills, ${session.acknowledged.length} messages acknowledged, ${published} published, ${uploads} uploads, ${handoffs} hand-offs, lost ${tally.wrong.lost}`,
      );
    }
  }
  await compareAtRest(session);
}

async function makeKey(folder: TortureFolder): Promise<string> {
  await using server = await serve(folder);
  return await makeOperatorKey(server, { cwd: folder.path, env: folder.env, permissions: PERMISSIONS });
}

/** @returns the keys that callers used. */
async function runRound(
  session: Session,
  round: number,
  keyed: readonly KeyedMessage[],
): Promise<KeyedMessage[]> {
  const { folder, deeds, team, tally } = session;
  const place = `round ${round}`;
  const servers = await startServers(session, round % EVERY_NTH_WITH_TWO === 0 ? 2 : 1);
  const line = lineOf(session, servers[0]!);
  const isRetried = folder.postgresUrl === undefined || round % EVERY_NTH_RETRIED_ON_POSTGRES === 3;
  acknowledge(session, await retryKeys(line, isRetried ? keyed : [], tally));
  for (const deed of deeds) await check(deed, line, place, false);
  const callers = await workAndKill(session, servers, round);
  acknowledge(session, callers.acknowledged);
  tally.tried.rounds++;
  await compareStored(session, place);
  await team.compare(place);
  for (const finding of callers.unexpected) tally.note("unexpected", `${place}: ${finding}`);
  return callers.keyed;
}

async function startServers(
  { folder, model, team, cancelling }: Session,
  count: number,
): Promise<ServingExecutable[]> {
  const servers: ServingExecutable[] = [];
  for (let n = 0; n < count; n++)
    servers.push(await serve(folder, { modelUrl: model.url, env: { ...team.env, ...cancelling.env } }));
  return servers;
}

function lineOf({ folder, key }: Session, { url, operatorUrl }: ServingExecutable): OperatedLine {
  return { url, operatorUrl, token: folder.token, key };
}

async function workAndKill(
  session: Session,
  servers: readonly ServingExecutable[],
  round: number,
): Promise<Callers> {
  const { model, random, tally, deeds, parts } = session;
  model.forget();
  const lines = servers.map((server) => lineOf(session, server));
  const { nextNumber } = parts;
  const callers = new Callers({
    lines,
    perServer: PER_SERVER,
    random,
    capped: cappedBot(round),
    nextNumber,
  });
  const crew = new Crew(deeds, lines, round, parts);
  if (round % EVERY_NTH_LONG === 1) await Bun.sleep(LONG_LIFE_MS);
  for (const server of servers) {
    await live(callers, random);
    if (model.turns > 0) tally.tried.killsDuringModelTurns++;
    await kill(server);
    tally.tried.kills++;
  }
  await Promise.all([callers.stop(), crew.stop()]);
  return callers;
}

/** A random while, in which a machine that is busy gets something done as well. */
async function live({ acknowledged }: Callers, random: Random): Promise<void> {
  const enough = acknowledged.length + random() * WORTH_A_KILL;
  await Bun.sleep(random() * MAX_LIFE_MS);
  const until = performance.now() + MAX_WAIT_MS;
  while (acknowledged.length < enough && performance.now() < until) await Bun.sleep(random() * 10);
}

/** A key that was answered before the kill has the same answer after it. One that was not is answered now. */
async function retryKeys(line: Line, keyed: readonly KeyedMessage[], tally: Tally): Promise<Acknowledged[]> {
  const retried = keyed.slice(-RETRIED_KEYS);
  const answers = await Promise.all(
    retried.map(({ key, botId, input }) => send(line, { key, botId, input })),
  );
  return retried.flatMap(({ key, botId, input, answer: first }, index): Acknowledged[] => {
    const answer = answers[index];
    tally.tried.retries++;
    if (answer?.status !== 200) {
      tally.note("unexpected", `a key was retried and answered with ${answer?.status}`);
      return [];
    }
    const { conversationId, response } = answer;
    if (first && (first.conversationId !== conversationId || first.response !== response))
      tally.note("secondAnswers", `the key ${key} was answered a second time`);
    return [{ botId, conversationId, input, response }];
  });
}

function acknowledge({ acknowledged, tally }: Session, messages: readonly Acknowledged[]): void {
  acknowledged.push(...messages);
  tally.tried.acknowledged += messages.length;
}

/** Messages and counters, as they are in the database itself. */
async function compareStored(session: Session, place: string): Promise<void> {
  const { folder, acknowledged, aborting, cancelling, tally } = session;
  acknowledge(session, [...aborting.acknowledged.splice(0), ...cancelling.takeAcknowledged()]);
  const { postgresUrl } = folder;
  if (postgresUrl === undefined) compare(folder.database, acknowledged, tally, { missing: "lost", place });
  else await compareWithPostgres(postgresUrl, acknowledged, tally, { place, cap: CAP });
  await compareSent(folder, aborting.sent, tally, place);
}

/**
 * A last server gives back what the killed ones owe, erases what deleted bots left, tells of what nobody was told, and stops in peace: then
 * everything that was ever acknowledged is looked at.
 */
async function compareAtRest(session: Session): Promise<void> {
  const { deeds, team } = session;
  await team.passTime();
  const [server] = await startServers(session, 1);
  for (const deed of deeds) await check(deed, lineOf(session, server!), "at rest", true);
  await team.waitForAll("at rest");
  await server![Symbol.asyncDispose]();
  await compareStored(session, "at rest");
  await team.compare("at rest");
}
