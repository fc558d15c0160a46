import type { BotDocument } from "../domain/bot.ts";
import { sha256 } from "../domain/sha256.ts";
import {
  collectTexts,
  ENCODER_VERSION,
  type IntentExamples,
  isEncoderOn,
  MODEL_VERSION,
  textsToEncode,
  TrainingThread,
} from "../intent/classifier.ts";
import type { SeedModels, TrainedModel } from "../store/interface/bots.ts";
import type { ModelStore } from "../store/interface/store.ts";

/** Progress of a training. */
export interface TrainingProgress {
  /** The bot being trained. */
  botId: string;
  /** Number of bots done. */
  done: number;
  total: number;
  /** Share of this bot that is done, 0–1. */
  share: number;
  /** Share of all bots' work that is done, 0–1. */
  workDone: number;
  work: TrainingWork;
}

/** The amount of work of a training. */
export interface TrainingWork {
  intents: number;
  /** Number of examples, names, labels and descriptions of the intents. */
  texts: number;
  /** Its duration is proportional to this number. */
  steps: number;
}

/** Progress callback, called before each bot and during its training. */
export type OnTraining = (progress: TrainingProgress) => void;

/** Id of a model: a hash of all that it is trained from. */
export function intentModelIdOf(document: BotDocument): string {
  const trainedFrom = JSON.stringify(examplesOf(document));
  return `${MODEL_VERSION}-${sha256(trainedFrom).toString("base64url")}`;
}

/** Whether this executable can open the model. */
export function isCurrentModel(id: string): boolean {
  return id.startsWith(`${MODEL_VERSION}-`);
}

/** Store of trained models. */
type TrainedStore = Pick<ModelStore, "hasIntentModel" | "findSentenceModel">;

interface BotTraining {
  onTraining?: OnTraining | undefined;
  signal?: AbortSignal | undefined;
  /** false: examples are not encoded here; a server encodes them in the background. */
  isEncoded?: boolean;
}

/**
 * Trains the models that the store does not have, on a thread.
 *
 * @throws the signal's reason if it aborts.
 */
export async function trainBots(
  store: TrainedStore,
  documents: readonly BotDocument[],
  { onTraining = () => {}, signal, isEncoded = isEncoderOn() }: BotTraining = {},
): Promise<SeedModels> {
  const idOf = new Map(documents.map((document) => [document.id, intentModelIdOf(document)]));
  const missing = await findMissing(store, documents, { idOf, isEncoded });
  const trained = new Map<string, TrainedModel>();
  const models = { idOf, trained, encoder: ENCODER_VERSION };
  if (missing.size === 0) return models;
  using thread = new TrainingThread();
  const works = new Map([...missing].map(([modelId, document]) => [modelId, trainingWorkOf(document)]));
  const allSteps = works.values().reduce((sum, { steps }) => sum + steps, 0);
  let stepsBefore = 0;
  for (const [modelId, document] of missing) {
    const work = works.get(modelId)!;
    const progress = { botId: document.id, done: trained.size, total: missing.size, work };
    const report = (share: number) =>
      onTraining({ ...progress, share, workDone: (stepsBefore + share * work.steps) / allSteps });
    report(0);
    const { model, sentences } = await orAborted(
      thread.train(examplesOf(document), { report, isEncoded }),
      signal,
    );
    trained.set(modelId, { model, ...(sentences && { sentences }) });
    stepsBefore += work.steps;
  }
  return models;
}

/** A result, unless the signal aborts first. */
export async function orAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason as Error);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** Documents without a stored model, by the model's id. */
async function findMissing(
  store: TrainedStore,
  documents: readonly BotDocument[],
  { idOf, isEncoded }: { idOf: ReadonlyMap<string, string>; isEncoded: boolean },
): Promise<Map<string, BotDocument>> {
  const missing = new Map(documents.map((document) => [idOf.get(document.id)!, document]));
  for (const modelId of missing.keys())
    if (await isTrained(store, modelId, isEncoded)) missing.delete(modelId);
  return missing;
}

/** Whether a model is complete. @param isEncoded whether that includes its sentence model. */
export async function isTrained(
  store: TrainedStore,
  modelId: string,
  isEncoded = isEncoderOn(),
): Promise<boolean> {
  if (!(await store.hasIntentModel(modelId))) return false;
  return !isEncoded || (await store.findSentenceModel(modelId, ENCODER_VERSION)) !== undefined;
}

/**
 * Steps for each text, beside one for each intent, and for each that is encoded besides. By CPU time on CLINC150's texts: 2,000 intents of 3 examples
 * took 3.3 ms a text, 200 of 50 and 150 of 50 0.5 (1.6 µs a step); encoding took 9 to 14 ms a text in bots of 8 intents of 5 to 150 of 12.
 * Not fitted: small bots take up to 1.7 ms a text beside the encoding.
 */
const STEPS_OF_TEXT = 120;
const STEPS_OF_ENCODING = 7500;

export function trainingWorkOf(document: BotDocument): TrainingWork {
  const examples = examplesOf(document);
  const texts = collectTexts(examples).texts.length;
  const encoded = isEncoderOn() ? textsToEncode(examples).length : 0;
  const steps = texts * (examples.length + STEPS_OF_TEXT) + STEPS_OF_ENCODING * encoded;
  return { intents: examples.length, texts, steps: 1 + steps };
}

/** The intent model of a bot: from the store, or trained now. */
export async function getIntentModel(
  store: ModelStore,
  document: BotDocument,
  onTraining?: OnTraining,
  signal?: AbortSignal,
): Promise<TrainedModel> {
  return modelAmong(await trainBots(store, [document], { onTraining, signal }), store, document);
}

/** The model of a bot, from those just trained or from the store. */
export async function modelAmong(
  { trained }: SeedModels,
  store: Pick<ModelStore, "findIntentModel" | "findSentenceModel">,
  document: BotDocument,
): Promise<TrainedModel> {
  const modelId = intentModelIdOf(document);
  const fresh = trained.get(modelId);
  if (fresh) return fresh;
  const [model, sentences] = await Promise.all([
    store.findIntentModel(modelId),
    store.findSentenceModel(modelId, ENCODER_VERSION),
  ]);
  if (!model) throw new Error(`the intent model ${modelId} is gone from the database`);
  return { model, ...(sentences && { sentences }) };
}

export function examplesOf({ intents = [] }: BotDocument): IntentExamples[] {
  return intents.map(({ name, label, description, examples, responses: [answer] = [] }) => ({
    name,
    label,
    description,
    examples,
    answer,
  }));
}
