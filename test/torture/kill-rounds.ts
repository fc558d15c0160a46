import type { Random } from "../../src/intent/training/random.ts";
import type { ServingExecutable } from "../support/executable.ts";
import { Callers, type KeyedMessage, send } from "./callers.ts";
import { INPUT, type TortureFolder, cappedBot } from "./folder.ts";
import { type Acknowledged, compare } from "./ledger.ts";
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
const LONGEST_LIFE_MS = 700;
const RETRIED_KEYS = 12;

/** Callers talk, the servers are killed at a random moment, and what callers were told is compared with what is on disk; many times. */
export async function runKillRounds(options: RoundsOptions): Promise<void> {
  const { folder, rounds, until, random, tally, say } = options;
  await using model = await startSlowModel(random);
  const acknowledged: Acknowledged[] = [];
  let keyed: KeyedMessage[] = [];
  for (let round = 0; round < rounds && performance.now() < until; round++) {
    const servers = await startServers(folder, model, round % EVERY_NTH_WITH_TWO === 0 ? 2 : 1);
    acknowledged.push(...(await retryKeys(servers[0]!, folder, keyed, tally)));
    const callers = await talkAndKill(servers, model, options, round);
    acknowledged.push(...callers.acknowledged);
    keyed = callers.keyed;
    tally.tried.rounds++;
    tally.tried.acknowledged = acknowledged.length;
    compare(folder.database, acknowledged, tally, { missing: "lost", place: `round ${round}` });
    for (const finding of callers.unexpected) tally.note("unexpected", `round ${round}: ${finding}`);
    if (round % 10 === 9) {
      say(
        `round ${round + 1}: ${tally.tried.kills} kills, ${acknowledged.length} acknowledged, lost ${tally.wrong.lost}`,
      );
    }
  }
  await compareAtRest(folder, model, acknowledged, tally);
}

async function startServers(
  folder: TortureFolder,
  model: SlowModel,
  count: number,
): Promise<ServingExecutable[]> {
  const servers: ServingExecutable[] = [];
  for (let n = 0; n < count; n++) servers.push(await serve(folder, { modelUrl: model.url }));
  return servers;
}

async function talkAndKill(
  servers: readonly ServingExecutable[],
  model: SlowModel,
  { folder, random, tally }: RoundsOptions,
  round: number,
): Promise<Callers> {
  model.forget();
  const lines = servers.map(({ url }) => ({ url, token: folder.token }));
  const callers = new Callers({ lines, perServer: PER_SERVER, random, capped: cappedBot(round) });
  for (const server of servers) {
    await Bun.sleep(random() * LONGEST_LIFE_MS);
    if (model.turns > 0) tally.tried.killsDuringModelTurns++;
    await kill(server);
    tally.tried.kills++;
  }
  await callers.stop();
  return callers;
}

/** A key that was answered before the kill has the same answer after it. One that was not is answered now. */
async function retryKeys(
  server: ServingExecutable,
  { token }: TortureFolder,
  keyed: readonly KeyedMessage[],
  tally: Tally,
): Promise<Acknowledged[]> {
  const retried = keyed.slice(-RETRIED_KEYS);
  const answers = await Promise.all(
    retried.map(({ key, botId }) => send({ url: server.url, token }, { key, botId })),
  );
  return retried.flatMap(({ key, botId, answer: first }, index): Acknowledged[] => {
    const answer = answers[index];
    tally.tried.retries++;
    if (answer?.status !== 200) {
      tally.note("unexpected", `a key was retried and answered with ${answer?.status}`);
      return [];
    }
    const { conversationId, response } = answer;
    if (first && (first.conversationId !== conversationId || first.response !== response))
      tally.note("secondAnswers", `the key ${key} was answered a second time`);
    return [{ botId, conversationId, input: INPUT, response }];
  });
}

/** A last server gives back what the killed ones owe, and stops in peace: then counters are equal to answers. */
async function compareAtRest(
  folder: TortureFolder,
  model: SlowModel,
  acknowledged: readonly Acknowledged[],
  tally: Tally,
): Promise<void> {
  const [server] = await startServers(folder, model, 1);
  await server![Symbol.asyncDispose]();
  compare(folder.database, acknowledged, tally, { missing: "lost", place: "at rest" });
}
