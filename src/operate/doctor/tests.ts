import { knowledgeOf } from "../../bots/bot-knowledge.ts";
import { isCurrentModel } from "../../bots/training.ts";
import type { Awaitable } from "../../domain/waiting.ts";
import { ENCODER_VERSION, EncoderThread, isEncoderOn } from "../../intent/classifier.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import type { Knowledge } from "../../store/interface/store.ts";
import { rehearseTests } from "../bot-tests.ts";
import type { OpenRehearsal } from "../rehearsal.ts";
import { type Finding, listNames, findingsOf } from "./finding.ts";

const BOTS = findingsOf("bots");

/** How to run tests, with progress callbacks. */
export interface Testing {
  openRehearsal: OpenRehearsal;
  /** Called before the first bot's tests, if there are any. */
  onStart: (bots: number) => void;
  /** @param share of the bots with tests. */
  onTest: (botId: string, share: number) => void;
}

/** The parts of a store needed to run tests. */
export interface TestedStore {
  findIntentModel(id: string): Awaitable<Uint8Array | undefined>;
  findSentenceModel(id: string, encoder: string): Awaitable<Uint8Array | undefined>;
  knowledge: Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages">;
}

/**
 * Runs the tests of bots. Tests that passed at publication may fail with a later version of Parley or other documents. Bots without a model
 * for this version are skipped, because they do not answer until trained, and so are bots whose examples are not encoded yet.
 */
export async function examineTests(
  store: TestedStore,
  bots: readonly StoredBot[],
  { openRehearsal, onStart, onTest }: Testing,
): Promise<Finding[]> {
  using encoder = new EncoderThread();
  const failing: string[] = [];
  const tested = bots.filter(({ document }) => (document.tests ?? []).length > 0);
  if (tested.length > 0) onStart(tested.length);
  for (const [index, { id, key, document, intentModelId }] of tested.entries()) {
    if (!intentModelId || !isCurrentModel(intentModelId)) continue;
    onTest(id, index / tested.length);
    const model = await store.findIntentModel(intentModelId);
    if (!model) continue;
    const sentences = await store.findSentenceModel(intentModelId, ENCODER_VERSION);
    if (sentences === undefined && isEncoderOn()) continue;
    const knowledge = await knowledgeOf(store, key);
    const { failed } = await rehearseTests(
      { openRehearsal, encoder },
      { document, model: { model, ...(sentences && { sentences }) }, knowledge },
      { report: (done, of) => onTest(id, (index + done / of) / tested.length) },
    );
    if (failed > 0) failing.push(id);
  }
  if (failing.length === 0) return [];
  const message = `${listNames(failing)}: \`tests\` fail, and visitors are answered all the same`;
  const cure = "`parley eval BOT` lists them; correct the bot or its tests, and seed again";
  return [BOTS.mend(message, cure)];
}
