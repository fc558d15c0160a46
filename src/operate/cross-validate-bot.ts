import { examplesOf } from "../bots/training.ts";
import type { UnderstandingBot } from "../bots/understanding-bot.ts";
import type { BotDocument } from "../domain/bot.ts";
import { compileGovernancePolicy } from "../governance/policy.ts";
import {
  countExamples,
  openIntentModel,
  openSentenceModel,
  splitIntoFolds,
  type TrainingThread,
} from "../intent/classifier.ts";
import type { DecidedUtterance, TestUtterance } from "./decide-utterances.ts";

/** Judges and decides utterances, each as the first turn of a conversation. */
export type DecideAll = (
  bot: UnderstandingBot,
  utterances: readonly TestUtterance[],
) => Promise<DecidedUtterance[]>;

/** Fewer examples say nothing about the others. */
const FEWEST_EXAMPLES = 20;

/** Whether there are enough examples, of two intents or more, for a cross-validation that says something. */
export function canCrossValidate(document: BotDocument): boolean {
  const intents = examplesOf(document).filter(({ examples }) => (examples?.length ?? 0) > 1);
  return intents.length > 1 && countExamples(intents) >= FEWEST_EXAMPLES;
}

/**
 * What the bot would make of its own examples if it had not seen them: each is decided by a model of the others. Of a very large bot, a
 * fifth of the examples are asked about.
 * @param report called with the share that is done, 0–1.
 */
export async function crossValidateBot(
  thread: TrainingThread,
  document: BotDocument,
  report: (done: number) => void,
  decideAll: DecideAll,
): Promise<DecidedUtterance[]> {
  const folds = splitIntoFolds(examplesOf(document));
  const decided: DecidedUtterance[] = [];
  for (const [round, { known, heldOut }] of folds.entries()) {
    const { model, sentences } = await thread.train(known, {
      report: (share) => report((round + share) / folds.length),
    });
    const classifier = openIntentModel(model);
    const policy = compileGovernancePolicy(document, classifier);
    decided.push(
      ...(await decideAll(
        { classifier, policy, sentences: sentences && openSentenceModel(sentences) },
        heldOut,
      )),
    );
  }
  return decided;
}
