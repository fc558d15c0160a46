import type { BotDocument } from "../domain/bot.ts";
import { sha256 } from "../domain/sha256.ts";
import { type IntentExamples, MODEL_VERSION, TrainingThread } from "../intent/classifier.ts";
import type { SeedModels } from "../store/bots.ts";
import type { TrainedModel } from "../store/intent-models.ts";
import type { Store } from "../store/store.ts";

/** Called as training goes on: bots done of all, and the share of the current one, 0–1. */
export type OnTraining = (progress: { botId: string; done: number; total: number; share: number }) => void;

/** Where models are found again. */
export type ModelStore = Pick<Store, "hasIntentModel" | "findIntentModel" | "findSentenceModel">;

/** Names a model by all that it is trained from, so that it is trained once. */
export function intentModelIdOf(document: BotDocument): string {
  const trainedFrom = JSON.stringify(examplesOf(document));
  return `${MODEL_VERSION}-${sha256(trainedFrom).toString("base64url")}`;
}

/** Whether this executable can open the model. */
export function isCurrentModel(id: string): boolean {
  return id.startsWith(`${MODEL_VERSION}-`);
}

/** Trains what the bots need and the store does not hold, on a thread of its own. */
export async function trainBots(
  store: Pick<Store, "hasIntentModel">,
  documents: readonly BotDocument[],
  onTraining: OnTraining = () => {},
): Promise<SeedModels> {
  const idOf = new Map(documents.map((document) => [document.id, intentModelIdOf(document)]));
  const missing = new Map(
    documents
      .map((document) => [idOf.get(document.id)!, document] as const)
      .filter(([modelId]) => !store.hasIntentModel(modelId)),
  );
  const trained = new Map<string, TrainedModel>();
  if (missing.size === 0) return { idOf, trained };
  using thread = new TrainingThread();
  for (const [modelId, document] of missing) {
    const progress = { botId: document.id, done: trained.size, total: missing.size };
    const { model, sentences } = await thread.train(examplesOf(document), {
      report: (share) => onTraining({ ...progress, share }),
    });
    trained.set(modelId, { model, ...(sentences && { sentences }) });
  }
  return { idOf, trained };
}

/** The model that a bot classifies with: from the store, or trained now. */
export async function getIntentModel(
  store: ModelStore,
  document: BotDocument,
  onTraining?: OnTraining,
): Promise<TrainedModel> {
  const { trained } = await trainBots(store, [document], onTraining);
  const modelId = intentModelIdOf(document);
  const fresh = trained.get(modelId);
  if (fresh) return fresh;
  const [model, sentences] = [store.findIntentModel(modelId), store.findSentenceModel(modelId)];
  if (!model) throw new Error(`the intent model ${modelId} is gone from the database`);
  return { model, ...(sentences && { sentences }) };
}

export function examplesOf({ intents = [] }: BotDocument): IntentExamples[] {
  return intents.map(({ name, label, description, examples }) => ({ name, label, description, examples }));
}
