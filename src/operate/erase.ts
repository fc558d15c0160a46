import type { Logger } from "pino";

import type { DeletedBot } from "../store/interface/bots.ts";
import type { ConversationCounts, ErasureFilter, WipedFiles } from "../store/interface/conversations.ts";
import type { Health } from "../store/interface/health.ts";
import type { Bots, Erasure } from "../store/interface/store.ts";

/** Rows erased per step, and the pause after it. */
export interface Pace {
  rows: number;
  pauseMs: number;
}

/** In a server, erasing shares the loop with visitors: some milliseconds per step. */
const SERVER_PACE: Pace = { rows: 20, pauseMs: 10 };
/** In a separate process, visitors wait only for the store's lock. */
export const COMMAND_PACE: Pace = { rows: 200, pauseMs: 20 };
/** A check is cheap if no bot was deleted. */
const LOOK_EVERY_MS = 2000;
/** The database file is not rewritten, because visitors would have to wait. */
const MAX_REWRITTEN_BYTES = 0;

/** The parts of a store that are used. */
interface LeftByBots {
  bots: Pick<Bots, "listDeleted">;
  erasure: Pick<Erasure, "eraseSomeOf" | "wipeFiles">;
}

interface EraseOptions {
  pace: Pace;
  /** Erasing stops when it aborts; the rest is erased later. */
  signal?: AbortSignal;
  /** Called after each step with the share of the bot's conversations erased. */
  onStep?: (bot: DeletedBot, share: number) => void;
}

/**
 * Erases the remaining data of deleted bots in small steps, because a single step would delay the messages of all bots. Several processes
 * may do it at once.
 *
 * @returns undefined if nothing was left, or if it was aborted.
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
  return signal?.aborted ? undefined : erasure.wipeFiles(MAX_REWRITTEN_BYTES);
}

interface ErasingParts {
  store: LeftByBots & { health: Pick<Health, "failure" | "noticeFailure"> };
  log: Pick<Logger, "error">;
  everyMs?: number;
}

/**
 * Erases remaining data of deleted bots in a running server, including those deleted by a stopped server or an interrupted command.
 *
 * @returns a function that stops it.
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

/** Conversations per transaction, and the pause after it for storing messages. */
const STEP = 200;
const PAUSE_MS = 20;

interface ErasingOptions {
  /** The filter by which they were selected. A conversation that no longer matches, for example because of a new message, stays. */
  filter?: ErasureFilter;
  /** Largest database file, in bytes, that may be rewritten, because messages wait until it is done. */
  mostRewrittenBytes?: number;
  onStep?: (share: number) => void;
}

/** Counts of erased data. `wiped` is absent if nothing was erased. */
export interface ErasedConversations extends ConversationCounts {
  wiped?: WipedFiles;
}

/** Erases conversations in steps, then their remains in the database files that the store can reach. */
export async function eraseConversations(
  { erasure }: { erasure: Pick<Erasure, "erase" | "wipeFiles"> },
  chosen: readonly { id: string }[],
  { filter = {}, mostRewrittenBytes = 0, onStep }: ErasingOptions = {},
): Promise<ErasedConversations> {
  const erased = { conversations: 0, messages: 0 };
  for (let from = 0; from < chosen.length; from += STEP) {
    if (from > 0) await Bun.sleep(PAUSE_MS);
    const { conversations, messages } = await erasure.erase(chosen.slice(from, from + STEP), filter);
    erased.conversations += conversations;
    erased.messages += messages;
    onStep?.(Math.min(1, (from + STEP) / chosen.length));
  }
  return erased.conversations === 0
    ? erased
    : { ...erased, wiped: await erasure.wipeFiles(mostRewrittenBytes) };
}
