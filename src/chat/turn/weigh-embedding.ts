import type { EmbeddingIndexes } from "../../bots/embedding-indexes.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Classification, IntentAssistance } from "../../domain/decision.ts";
import { fuseEmbedding, unitVector } from "../../intent/classifier.ts";
import type { ModelFleet } from "../../model/model-fleet.ts";
import type { ModelCosts } from "./model-costs.ts";

/** The parts that weighing an embedding uses. */
export interface EmbeddingParts {
  models: Pick<ModelFleet, "embed">;
  embeddingIndexes: Pick<EmbeddingIndexes, "find">;
}

/** Deadline and costs of asking servers. */
export interface AskingServers {
  signal: AbortSignal;
  costs: ModelCosts;
}

/** The intent by the bot's embedding server; undefined if the bot uses none. */
export async function weighEmbedding(
  { models, embeddingIndexes }: EmbeddingParts,
  { bot, input }: { bot: LoadedBot; input: string },
  classification: Classification,
  { signal, costs }: AskingServers,
): Promise<IntentAssistance> {
  const { embeddings } = bot.document.classifier ?? {};
  if (!embeddings || bot.policy.intents.length === 0) return {};
  const index = await unlessAborted(embeddingIndexes.find(bot, embeddings.model), signal);
  if (!index) return { embeddings: "unavailable" };
  const run = await models.embed(embeddings.model, [input], signal);
  if (run) costs.addEmbedding(run, input);
  if (!run?.vectors) return { embeddings: "unavailable" };
  const fused = fuseEmbedding(classification, bot.policy.intents, index, unitVector(run.vectors[0]!));
  const { confidences, inScope } = fused;
  return { embeddings: "used", weighed: { confidences: [...confidences], inScope } };
}

/** The result, or undefined as soon as the signal aborts; the work continues. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}
