import type { Random } from "../../../src/intent/training/random.ts";
import { seedFolder, type TortureFolder } from "../folder.ts";
import { startSlowModel } from "../slow-model.ts";
import type { Tally } from "../tally.ts";
import { Crowd } from "./crowd.ts";
import { Fleet } from "./fleet.ts";
import { compareWithPostgres } from "./ledger.ts";

const CAP = 200;
const CAPPED_BOTS = 100;

/** A database with seeded bots, and the folder from which its instances are started. */
interface InstancesPlace extends Disposable {
  url: string;
  folder: TortureFolder;
}

/** Seeds the bots of a torture into an empty PostgreSQL database. */
export async function seedPostgres(url: string, more: Record<string, string> = {}): Promise<InstancesPlace> {
  const env = { PARLEY_STORE: url, ...more };
  const folder = await seedFolder({ cap: CAP, cappedBots: CAPPED_BOTS, env });
  return { url, folder, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

export interface CrowdedOptions {
  place: InstancesPlace;
  instances: number;
  callers: number;
  random: Random;
  tally: Tally;
}

/** A crowd talks to instances while `disturb` does its worst; then what it was told is compared with the database. */
export async function talkWhile<Result>(
  { place, instances, callers, random, tally }: CrowdedOptions,
  disturb: (fleet: Fleet, crowd: Crowd, forgetModel: () => void) => Promise<Result>,
): Promise<Result> {
  const { folder, url } = place;
  await using model = await startSlowModel(random);
  await using fleet = await Fleet.start({ folder, instances, modelUrl: model.url });
  const crowd = new Crowd({ fleet, token: folder.token, callers, random, cappedBots: CAPPED_BOTS });
  const result = await disturb(fleet, crowd, () => {
    if (model.turns > 0) tally.tried.killsDuringModelTurns++;
    model.forget();
  });
  await crowd.stop();
  tally.tried.acknowledged += crowd.acknowledged.length;
  tally.tried.retries += crowd.retries;
  for (const finding of crowd.unexpected) tally.note("unexpected", finding);
  for (const finding of crowd.secondAnswers) tally.note("secondAnswers", finding);
  await compareWithPostgres(url, crowd.acknowledged, tally, { place: "at the end", cap: CAP });
  return result;
}

interface KillOptions extends CrowdedOptions {
  seconds: number;
  killEverySeconds: number;
  say: (line: string) => void;
}

/** One instance after another is killed, and started again. @returns how many messages were refused because of caps. */
export function killInstances(options: KillOptions): Promise<number> {
  const { seconds, killEverySeconds, tally, say } = options;
  return talkWhile(options, async (fleet, crowd, forgetModel) => {
    const until = performance.now() + seconds * 1000;
    for (let kills = 0; ; kills += 1) {
      await Bun.sleep(Math.min(killEverySeconds * 1000, until - performance.now()));
      if (performance.now() >= until) return crowd.refused;
      forgetModel();
      await fleet.replace(kills % fleet.size);
      tally.tried.kills += 1;
      say(
        `${tally.tried.kills} kills, ${crowd.acknowledged.length} acknowledged, ${crowd.retries} sent again`,
      );
    }
  });
}
