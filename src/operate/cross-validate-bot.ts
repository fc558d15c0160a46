import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import type { LoadedBot } from "../bots/loaded-bot.ts";
import { examplesOf } from "../bots/training.ts";
import type { BotDocument } from "../domain/bot.ts";
import { signsOfLeaning } from "../governance/follow-up/leaning.ts";
import {
  countExamples,
  type IntentExamples,
  splitIntoFolds,
  type TrainingThread,
} from "../intent/classifier.ts";
import { botToDecide, type DecidedUtterance, type TestUtterance } from "./decide-utterances.ts";

/** Decides utterances; see `decideUtterances`. */
export type DecideAll = (bot: LoadedBot, utterances: readonly TestUtterance[]) => Promise<DecidedUtterance[]>;

/** With fewer examples the result means little. */
const MIN_EXAMPLES = 20;

/** Whether there are enough examples, in at least two intents, for a meaningful cross-validation. */
export function canCrossValidate(document: BotDocument): boolean {
  const intents = examplesOf(document).filter(({ examples }) => (examples?.length ?? 0) > 1);
  return intents.length > 1 && countExamples(intents) >= MIN_EXAMPLES;
}

/**
 * Cross-validates a bot's examples: each is decided by a model trained without it, together with the bot's documents. A follow-up example
 * ("and on Sundays?") is decided after another example of its intent. For a very large bot only a fifth of the examples is decided. @param
 * report receives the share done, 0–1.
 */
export async function crossValidateBot(
  thread: TrainingThread,
  { document, knowledge }: { document: BotDocument; knowledge: BotKnowledge },
  report: (done: number) => void,
  decideAll: DecideAll,
): Promise<DecidedUtterance[]> {
  const folds = splitIntoFolds(examplesOf(document));
  const decided: DecidedUtterance[] = [];
  for (const [round, { known, heldOut }] of folds.entries()) {
    const trained = await thread.train(known, { report: (share) => report((round + share) / folds.length) });
    const asked = heldOut.map((utterance) => ({ ...utterance, ...afterAnother(utterance, known) }));
    decided.push(...(await decideAll(botToDecide(document, trained, knowledge), asked)));
  }
  return decided;
}

/** The message before a follow-up example: the first other example of its intent that stands alone. */
function afterAnother(
  { text, intent }: TestUtterance,
  known: readonly IntentExamples[],
): Pick<TestUtterance, "after"> {
  const goesOn = (said: string) => {
    const signs = signsOfLeaning(said);
    return signs.goesOn + signs.pointsBack > 0;
  };
  if (!goesOn(text)) return {};
  const before = known.find(({ name }) => name === intent)?.examples?.find((example) => !goesOn(example));
  return before === undefined ? {} : { after: [before] };
}
