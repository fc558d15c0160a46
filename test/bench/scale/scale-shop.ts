import { hashEmbedToken, newEmbedToken } from "../../../src/access/secrets.ts";
import { type BotId, newEmbedTokenId, secureRandomBytes } from "../../../src/domain/ids.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { runLoad } from "../load/run-load.ts";
import { dataFolder } from "../servers/data-folder.ts";
import { serveParley } from "../servers/serve.ts";
import { chatRequests, seedShop, type Shop } from "../servers/shop.ts";

/** The seeded shop in a folder, to be copied and filled. */
export interface SeededShop extends Disposable {
  path: string;
  shop: Shop;
}

const TEMPLATE_TURNS = 4;

/** The shop, with no message in it. */
export async function emptyShop(): Promise<SeededShop> {
  const folder = dataFolder("disk");
  const shop = await seedShop(folder.path);
  return { path: folder.path, shop, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** Makes the conversation that is copied. */
export async function holdConversation(data: string, shop: Shop): Promise<void> {
  await using server = await serveParley(data);
  let conversationId: string | undefined;
  for (const input of shop.messages.slice(0, TEMPLATE_TURNS)) {
    const answer = await fetch(`${server.url}/chat`, {
      method: "POST",
      headers: { Authorization: `Bearer ${shop.tokens[0]}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        botId: shop.botId,
        input,
        ...(conversationId !== undefined && { conversationId }),
      }),
    });
    ({ conversationId } = (await answer.json()) as { conversationId: string });
  }
}

/** Gives bots a token each. @returns the bots as shops of their own. */
export async function issueTokens(data: string, shop: Shop, botIds: readonly string[]): Promise<Shop[]> {
  await using store = new SqliteStore({ dataDir: data, now: Date.now, busyTimeoutMs: 0 });
  const issue = async (botId: string) => {
    const token = newEmbedToken(secureRandomBytes);
    await store.embedTokens.create({
      id: newEmbedTokenId(Date.now(), secureRandomBytes),
      hash: hashEmbedToken(token),
      botIds: [botId as BotId],
    });
    return { ...shop, botId, tokens: [token] };
  };
  return Promise.all(botIds.map(issue));
}

/** Starts a server, kills it under a load, and leaves the folder as it is then. */
export async function crashUnderLoad(data: string, shop: Shop, seconds: number): Promise<void> {
  const server = await serveParley(data);
  const load = { origin: server.url, requests: chatRequests(server.url, shop), callers: 64, seconds };
  const playing = runLoad(load).then(
    () => {
      throw new Error("the load ended before the crash");
    },
    (broken: Error) => broken,
  );
  await Bun.sleep((seconds * 1000) / 2);
  await server.kill();
  await playing;
}
