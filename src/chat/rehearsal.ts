import type { Config } from "../config.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { ChatResponse } from "../domain/chat.ts";
import { newRequestId } from "../domain/ids.ts";
import { trainBots } from "../intent-training.ts";
import { type RuntimeParts, openRuntime } from "../runtime.ts";
import { loadBots } from "../upkeep.ts";
import { answerTurn } from "./turn.ts";

/** One conversation with a bot that is neither stored nor counted; for trying a bot out. */
export interface Rehearsal extends AsyncDisposable {
  /** @throws ServiceError as POST /chat does after its checks */
  say(input: string): Promise<ChatResponse>;
}

/** Opens a copy of the bot in memory: the same turn, on a store that ends with the rehearsal. */
export async function openRehearsal(
  config: Config,
  { monthlyMessageCap: _, ...document }: BotDocument,
  parts: RuntimeParts = {},
): Promise<Rehearsal> {
  const runtime = await openRuntime({ ...config, data: ":memory:" }, parts);
  const models = await trainBots(runtime.store, [document]);
  runtime.store.bots.seed([{ ...document, enabled: true }], { prune: false, dryRun: false }, models);
  await loadBots(runtime);
  const bot = runtime.bots.find(document.id);
  if (!bot) throw new Error(`bot ${document.id} did not load`);
  let conversationId: string | undefined;
  return {
    async say(input) {
      const requestId = newRequestId(runtime.now(), runtime.randomBytes);
      const answer = await answerTurn(runtime, {
        bot,
        requestId,
        input,
        ...(conversationId !== undefined && { conversationId }),
      });
      conversationId = answer.conversationId;
      return answer;
    },
    [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
  };
}
