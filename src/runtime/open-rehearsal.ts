import { type BotKnowledge, NO_KNOWLEDGE } from "../bots/bot-knowledge.ts";
import { intentModelIdOf } from "../bots/training.ts";
import type { Config } from "../config/config.ts";
import type { BotDocument } from "../domain/bot.ts";
import { Rehearsal } from "../operate/rehearsal.ts";
import { openRuntime, type RuntimeParts } from "../runtime.ts";
import type { TrainedModel } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";

/** A rehearsal shares nothing with servers, and nobody is told of it. */
const ALONE = { store: undefined, buckets: undefined, webhooks: {}, smtp: undefined } as const;

/**
 * Opens a copy of the bot in memory, disabled or not: the same turn as in a server, on a store that ends with the rehearsal.
 *
 * @param model what the bot classifies with, from `getIntentModel`.
 * @param parts an encoder that outlives the rehearsal, where several share it.
 */
export async function openRehearsal(
  config: Config,
  { monthlyMessageCap: _, ...document }: BotDocument,
  model: TrainedModel,
  parts: Pick<RuntimeParts, "encoder" | "env"> & { knowledge?: BotKnowledge } = {},
): Promise<Rehearsal> {
  await using opening = new AsyncDisposableStack();
  const runtime = opening.use(
    await openRuntime(
      { ...config, ...ALONE, data: ":memory:", logLevel: "warn" },
      {
        ...parts,
        knowledgeOf: () => parts.knowledge ?? NO_KNOWLEDGE,
        prepare: (store) => seedTrained(store, document, model),
      },
    ),
  );
  const { store, bots, answer, newRequestId } = runtime;
  const bot = await bots.find(document.id);
  if (!bot) throw new Error(`bot ${document.id} did not load`);
  const opened = opening.move();
  return new Rehearsal({
    bot,
    answer,
    newRequestId,
    getReceipt: async (request) => (await store.conversations.findTurnByRequest(request))!.receipt,
    close: () => opened.disposeAsync(),
  });
}

async function seedTrained(store: Store, document: BotDocument, model: TrainedModel): Promise<void> {
  const modelId = intentModelIdOf(document);
  const models = { idOf: new Map([[document.id, modelId]]), trained: new Map([[modelId, model]]) };
  await store.bots.seed(
    [{ ...withoutWebhook(document), enabled: true }],
    { prune: false, dryRun: false },
    models,
  );
}

/** A log would else warn that a rehearsal does not have the webhook. */
function withoutWebhook({ handoff, ...document }: BotDocument): BotDocument {
  if (handoff === undefined) return document;
  const { webhook: _, ...rest } = handoff;
  return { ...document, handoff: rest };
}
