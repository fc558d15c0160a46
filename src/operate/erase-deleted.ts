import type { Logger } from "pino";

import type { Bots, DeletedBot } from "../store/interface/bots.ts";
import type { Erasure, WipedFiles } from "../store/interface/conversations.ts";
import type { Health } from "../store/interface/health.ts";

/** How much is erased at a time, and how long others have the store to themselves after it. */
export interface Pace {
  rows: number;
  pauseMs: number;
}

/** In a server, visitors wait on the loop: some milliseconds of it at a time. */
const SERVER_PACE: Pace = { rows: 20, pauseMs: 10 };
/** In a process of its own, visitors wait for the store's lock alone. */
export const COMMAND_PACE: Pace = { rows: 200, pauseMs: 20 };
/** A look costs next to nothing where no bot was deleted. */
const LOOK_EVERY_MS = 2000;
/** Of a database file that is written anew: none is, as visitors would wait for it. */
const MOST_REWRITTEN_BYTES = 0;

/** The parts of a store that erasing uses. */
interface LeftByBots {
  bots: Pick<Bots, "listDeleted">;
  erasure: Pick<Erasure, "eraseSomeOf" | "wipeFiles">;
}

interface EraseOptions {
  pace: Pace;
  /** What is left after it aborts is erased by whoever comes next. */
  signal?: AbortSignal;
  /** Told after each step, with how much of the bot's conversations has gone. */
  onStep?: (bot: DeletedBot, share: number) => void;
}

/**
 * Erases what deleted bots have left, in small steps: in one, messages of every other bot would wait for it. Several may do it at a time.
 *
 * @returns undefined where nothing was left, or it was broken off.
 */
export async function eraseDeleted(
  { bots, erasure }: LeftByBots,
  { pace, signal, onStep }: EraseOptions,
): Promise<WipedFiles | undefined> {
  const deleted = await bots.listDeleted();
  if (deleted.length === 0) return undefined;
  for (const bot of deleted) {
    let erased = 0;
    for (;;) {
      if (signal?.aborted) return undefined;
      const some = await erasure.eraseSomeOf(bot.key, pace.rows);
      if (some === 0) break;
      erased += some;
      onStep?.(bot, Math.min(1, erased / Math.max(1, bot.conversations)));
      await Bun.sleep(pace.pauseMs);
    }
  }
  return signal?.aborted ? undefined : erasure.wipeFiles(MOST_REWRITTEN_BYTES);
}

interface ErasingParts {
  store: LeftByBots & { health: Pick<Health, "failure" | "noticeFailure"> };
  log: Pick<Logger, "error">;
  everyMs?: number;
}

/**
 * Has a running server erase what deleted bots have left, whoever deleted them: a server that was stopped, or a command that was broken off.
 *
 * @returns how to stop it.
 */
export function eraseDeletedBehind({ store, log, everyMs = LOOK_EVERY_MS }: ErasingParts): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isRunning = false;
  const look = async () => {
    if (isRunning || store.health.failure) return;
    isRunning = true;
    try {
      await eraseDeleted(store, { pace: SERVER_PACE, signal });
    } catch (error) {
      store.health.noticeFailure(error);
      if (store.health.failure || signal.aborted) return;
      log.error({ err: error }, "what a deleted bot has left could not be erased; trying again");
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  return () => {
    stopping.abort();
    clearInterval(timer);
  };
}
