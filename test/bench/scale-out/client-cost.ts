import {
  type ConversationId,
  newConversationId,
  newRequestId,
  secureRandomBytes,
} from "../../../src/domain/ids.ts";
import type { PostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { TURNS } from "../servers/shop.ts";
import { measureBuckets } from "./buckets.ts";
import { openSample, type Sample } from "./sample.ts";

const CALLERS = 64;
/** Messages before the measurement, so that the code is compiled; a count, because a time says little on a busy machine. */
const WARM_UP_MESSAGES = 20_000;
const MESSAGES = 40_000;

/** Processor time of this process for a message, in microseconds, without that of the databases. */
export interface ClientCost {
  store: number;
  buckets: number;
}

/**
 * Measures the processor time of a message in the storing process: 64 callers find their conversations, store messages as the server stored
 * them, and take from buckets. Nothing else runs in the process, so that its processor time is theirs.
 */
export async function measureClientCost(
  { url, redisUrl, botId }: { url: string; redisUrl: string; botId: string },
  seconds: number,
): Promise<ClientCost> {
  await using sample = await openSample(url, botId);
  await talk(sample, WARM_UP_MESSAGES);
  const before = process.cpuUsage();
  await talk(sample, MESSAGES);
  const { user, system } = process.cpuUsage(before);
  const { cpuMicroseconds } = await measureBuckets(redisUrl, { callers: CALLERS, seconds });
  return { store: (user + system) / MESSAGES, buckets: cpuMicroseconds };
}

async function talk(sample: Sample, messages: number): Promise<void> {
  let left = messages;
  const call = async () => {
    for (let turns = 0, id = newId(); left > 0; left -= 1, turns += 1) {
      if (turns % TURNS === 0) id = newId();
      else await sample.store.findConversation(id, sample.bot, 0);
      await record(sample, sample.store, id);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}

function newId(): ConversationId {
  return newConversationId(Date.now(), secureRandomBytes);
}

async function record({ bot, turn }: Sample, store: PostgresStore, conversationId: ConversationId) {
  const at = Date.now();
  const requestId = newRequestId(at, secureRandomBytes);
  const outcome = await store.recordTurn({ bot, conversationId, turn: { ...turn, at, requestId } });
  if (outcome !== "recorded") throw new Error(outcome);
}
