import { parseStoreAddress } from "../../../src/config/store-address.ts";
import type { Turn } from "../../../src/domain/conversation.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import { PostgresStore } from "../../../src/store/postgres/postgres-store.ts";

/** A message as a server stored it, and the store. */
export interface Sample extends AsyncDisposable {
  store: PostgresStore;
  bot: BotKey;
  turn: Turn;
}

/** Takes the latest message to `botId` as the sample of a stored message. */
export async function openSample(url: string, botId: string): Promise<Sample> {
  const store = await PostgresStore.open({ address: parseStoreAddress(url), now: Date.now });
  const { key: bot } = (await store.bots.find(botId))!;
  for await (const { latest } of store.conversationSearch.find({ bot })) {
    const turn = await store.conversations.findTurnByRequest(String(latest));
    if (turn) return { store, bot, turn, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
  }
  throw new Error(`${botId} has no messages`);
}
