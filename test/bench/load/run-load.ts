import { parseArgs } from "node:util";

import { type LoadPlan, type LoadResult } from "./plan.ts";
import { playWithProcesses, PROCESSES } from "./processes.ts";
import { findWrk, playWithWrk } from "./wrk.ts";

/** The load generator; `--generator own` does not use `wrk`. */
const wrk = wantsOwn() ? null : findWrk();

/** The name of the generator, for the head of a table. */
export const GENERATOR =
  wrk === null ? `${PROCESSES} processes of our own (no wrk)` : `wrk (${wrk}), one thread`;

/**
 * Plays a plan with `wrk` if it is installed, else with several processes of our own. Ends after the plan's seconds, or after
 * {@link MAX_REQUESTS}.
 *
 * @throws Error on answers with another status than the plan's, and on broken connections.
 */
export function runLoad(plan: LoadPlan): Promise<LoadResult> {
  if (new URL(plan.origin).hostname !== "127.0.0.1") throw new Error(`${plan.origin} is not loopback`);
  return wrk === null ? playWithProcesses(plan) : playWithWrk(wrk, plan);
}

function wantsOwn(): boolean {
  const { values } = parseArgs({ options: { generator: { type: "string" } }, strict: false });
  return values.generator === "own";
}
