/**
 * `npm run bench:scale-out`: several instances on PostgreSQL and Redis, both started here. `-- --minutes 10` sets how long instances are
 * killed; `--seconds N` the length of a load; `--only throughput,limit,kills,restart,counting` leaves parts out.
 */
import { parseArgs } from "node:util";

import { type Goal, printGoals } from "../goals.ts";
import { printMachine } from "../machine.ts";
import { measureCounting } from "./counting.ts";
import { Databases } from "./databases.ts";
import { measureKills, measureRestart } from "./disturbances.ts";
import { measureSharedLimit } from "./shared-limit.ts";
import { measureThroughput } from "./throughput.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seconds: { type: "string", default: "4" },
    only: { type: "string", default: "throughput,limit,kills,restart,counting" },
    generator: { type: "string" },
  },
});

const PARTS: Record<string, (databases: Databases) => Promise<Goal[]>> = {
  throughput: (databases) => measureThroughput(databases, Number(values.seconds)),
  limit: measureSharedLimit,
  kills: (databases) => measureKills(databases, Number(values.minutes)),
  restart: measureRestart,
  counting: measureCounting,
};

printMachine();
await using databases = await Databases.start();
const goals: Goal[] = [];
for (const part of values.only.split(",")) goals.push(...(await PARTS[part]!(databases)));
printGoals(goals);
