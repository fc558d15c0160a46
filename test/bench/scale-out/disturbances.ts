import { seededRandom } from "../../../src/intent/training/random.ts";
import { killInstances, seedPostgres } from "../../torture/instances/kill-instances.ts";
import { measureRecovery } from "../../torture/instances/restart-database.ts";
import { Tally } from "../../torture/tally.ts";
import type { Goal } from "../goals.ts";
import type { Databases } from "./databases.ts";

const INSTANCES = 3;
const CALLERS = 48;
const KILL_EVERY_SECONDS = 20;
const SEED = 1;

/** Kills one of three instances every 20 seconds under load, and compares the callers' answers with the database. */
export async function measureKills(databases: Databases, minutes: number): Promise<Goal[]> {
  const tally = new Tally();
  using place = await seedPostgres(await databases.create(), { PARLEY_BUCKETS: databases.redis.url });
  const refused = await killInstances({
    place,
    tally,
    instances: INSTANCES,
    callers: CALLERS,
    random: seededRandom(SEED),
    seconds: minutes * 60,
    killEverySeconds: KILL_EVERY_SECONDS,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  const { acknowledged, kills, killsDuringModelTurns, retries } = tally.tried;
  console.log(
    `\n${INSTANCES} instances, ${CALLERS} callers, ${minutes} minutes: ${acknowledged} acknowledged, ${refused} refused by caps, ${kills} kills (${killsDuringModelTurns} during model turns), ${retries} requests sent again`,
  );
  return goalsOf(tally, "kills");
}

/** Restarts PostgreSQL under the same load. */
export async function measureRestart(databases: Databases): Promise<Goal[]> {
  const tally = new Tally();
  using place = await seedPostgres(await databases.create(), { PARLEY_BUCKETS: databases.redis.url });
  const load = { place, tally, instances: INSTANCES, callers: CALLERS, random: seededRandom(SEED) };
  const recoveries = await measureRecovery(load, {
    stop: () => databases.stopPostgres(),
    start: () => databases.startPostgres(),
  });
  const shown = recoveries.map(
    ({ sinceBackMs, sinceStartMs }) => `${sinceBackMs.toFixed(0)} ms (${sinceStartMs.toFixed(0)} ms)`,
  );
  console.log(
    `\nPostgreSQL restarted under ${CALLERS} callers: each instance acknowledges again so long after it is back (after the order to start it): ${shown.join(", ")}; ${tally.tried.acknowledged} acknowledged, ${tally.tried.retries} requests sent again`,
  );
  const longestMs = Math.max(...recoveries.map(({ sinceBackMs }) => sinceBackMs));
  const recovery = { what: "restart: recovery, s", value: longestMs / 1000, atMost: 3 };
  return [recovery, ...goalsOf(tally, "restart")];
}

function goalsOf({ wrong, findings }: Tally, of: string): Goal[] {
  for (const finding of findings) console.log(`  ${finding}`);
  const others = wrong.miscounted + wrong.outOfOrder + wrong.unexpected;
  return [
    { what: `${of}: acknowledged lost`, value: wrong.lost, atMost: 0 },
    { what: `${of}: cap overshoot`, value: wrong.capOvershoot, atMost: 0 },
    { what: `${of}: double answers of a key`, value: wrong.secondAnswers, atMost: 0 },
    { what: `${of}: miscounted, out of order, unexpected`, value: others, atMost: 0 },
  ];
}
