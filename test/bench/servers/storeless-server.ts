/**
 * The whole pipeline without the disk, as if storing a message cost nothing. Conversations are kept in
 * memory, so that every turn has the history that it would have.
 */
import { type FlagValues, loadConfig } from "../../../src/config/config.ts";
import { type ConversationHistory, HISTORY_TURNS, pastTurnOf } from "../../../src/domain/conversation.ts";
import { startServer } from "../../../src/http/server.ts";
import type { Store } from "../../../src/store/interface/store.ts";

/** Maximum number of conversations, more than a load has at once; the oldest are dropped first. */
const MAX_CONVERSATIONS = 20_000;

function keepInMemory(store: Store): void {
  const conversations = new Map<string, ConversationHistory>();
  store.findConversation = async (id) => conversations.get(id);
  store.recordTurn = async (record) => {
    const { conversationId: id } = record;
    const earlier = conversations.get(id)?.turns ?? [];
    conversations.set(id, { id, turns: [...earlier, pastTurnOf(record.turn)].slice(-HISTORY_TURNS) });
    if (conversations.size > MAX_CONVERSATIONS) conversations.delete(conversations.keys().next().value!);
    return "recorded";
  };
}

const flags = JSON.parse(process.argv[2]!) as FlagValues;
const config = loadConfig({ flags, env: {}, readFile: (path) => path });
const server = await startServer(config, { prepare: keepInMemory });
process.on("SIGTERM", () => void server.close().then(() => process.exit(0)));
console.error(server.localUrl);
