import { loadBots } from "../bots/follow-registry.ts";
import { intentModelIdOf } from "../bots/training.ts";
import { answerTurn } from "../chat/turn.ts";
import type { Config } from "../config/config.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { ChatResponse } from "../domain/chat.ts";
import type { DecisionReceipt } from "../domain/decision.ts";
import { newRequestId } from "../domain/ids.ts";
import { type RuntimeParts, openRuntime } from "../runtime.ts";

/** A turn that nobody but the operator saw. */
export interface RehearsedTurn {
  answer: ChatResponse;
  receipt: DecisionReceipt;
}

/** One conversation after another with a bot, neither stored nor counted; for trying a bot out. */
export interface Rehearsal extends AsyncDisposable {
  /** @throws ServiceError as POST /chat does after its checks */
  say(input: string): Promise<RehearsedTurn>;
  /** What is said next begins another conversation. */
  startOver(): void;
}

/**
 * Opens a copy of the bot in memory: the same turn, on a store that ends with the rehearsal.
 * @param model what the bot classifies with, from `getIntentModel`.
 */
export async function openRehearsal(
  config: Config,
  { monthlyMessageCap: _, ...document }: BotDocument,
  model: Uint8Array,
  parts: RuntimeParts = {},
): Promise<Rehearsal> {
  const runtime = await openRuntime({ ...config, data: ":memory:" }, parts);
  const modelId = intentModelIdOf(document);
  const models = { idOf: new Map([[document.id, modelId]]), trained: new Map([[modelId, model]]) };
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
      const { receipt } = runtime.store.conversations.findTurnByRequest(requestId)!;
      return { answer, receipt };
    },
    startOver: () => (conversationId = undefined),
    [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
  };
}
