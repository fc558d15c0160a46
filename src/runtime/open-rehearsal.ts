import { ConfiguredEndpoints } from "../action/endpoint-caller.ts";
import { type BotKnowledge, NO_KNOWLEDGE } from "../bots/bot-knowledge.ts";
import { intentModelIdOf } from "../bots/training.ts";
import type { Config } from "../config/config.ts";
import type { BotDocument } from "../domain/bot.ts";
import { newConversationId } from "../domain/ids.ts";
import { ENCODER_VERSION } from "../intent/classifier.ts";
import { Rehearsal } from "../operate/rehearsal.ts";
import { openRuntime, type RuntimeParts } from "../runtime.ts";
import type { TrainedModel } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import { RehearsedTurns } from "./rehearsed-turns.ts";

/** A rehearsal shares nothing with servers, and sends no notices. */
const ALONE = { store: undefined, buckets: undefined, webhooks: {}, smtp: undefined } as const;

/**
 * Opens a copy of the bot in memory, disabled or not: the same turn as in a server, of which nothing is stored or counted.
 *
 * @param model what the bot classifies with, from `getIntentModel`.
 * @param parts an encoder, who judges long messages, and what calls endpoints, if several rehearsals share them.
 */
export async function openRehearsal(
  config: Config,
  { monthlyMessageCap: _, ...document }: BotDocument,
  model: TrainedModel,
  parts: Pick<RuntimeParts, "encoder" | "judge" | "env" | "endpoints"> & { knowledge?: BotKnowledge } = {},
): Promise<Rehearsal> {
  await using opening = new AsyncDisposableStack();
  const { env = process.env } = parts;
  const turns = new RehearsedTurns(
    parts.endpoints ?? new ConfiguredEndpoints(config.endpoints, { env, now: Date.now }),
  );
  const runtime = opening.use(
    await openRuntime(
      { ...config, ...ALONE, data: ":memory:", logLevel: "warn" },
      {
        ...parts,
        turns,
        endpoints: turns,
        knowledgeOf: () => parts.knowledge ?? NO_KNOWLEDGE,
        prepare: (store) => seedTrained(store, document, model),
      },
    ),
  );
  const { bots, answer, newRequestId, now, randomBytes } = runtime;
  const bot = await bots.find(document.id);
  if (!bot) throw new Error(`bot ${document.id} did not load`);
  const opened = opening.move();
  return new Rehearsal({
    newConversationId: () => newConversationId(now(), randomBytes),
    answer(conversation, input, { models, calls, left }) {
      const message = { bot, requestId: newRequestId(), input, conversationId: conversation.id };
      return turns.rehearse(conversation, { models, calls }, () => answer(message, { left }));
    },
    close: () => opened.disposeAsync(),
  });
}

async function seedTrained(store: Store, document: BotDocument, model: TrainedModel): Promise<void> {
  const modelId = intentModelIdOf(document);
  const models = {
    idOf: new Map([[document.id, modelId]]),
    trained: new Map([[modelId, model]]),
    encoder: ENCODER_VERSION,
  };
  await store.bots.seed(
    [{ ...withoutWebhook(document), enabled: true }],
    { prune: false, dryRun: false },
    models,
  );
}

/** Otherwise the log would warn that a rehearsal does not have the webhook. */
function withoutWebhook({ handoff, ...document }: BotDocument): BotDocument {
  if (handoff === undefined) return document;
  const { webhook: _, ...rest } = handoff;
  return { ...document, handoff: rest };
}
