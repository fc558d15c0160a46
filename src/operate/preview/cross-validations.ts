import type { BotKnowledge } from "../../bots/bot-knowledge.ts";
import { orAborted, trainingWorkOf } from "../../bots/training.ts";
import type { Understand } from "../../bots/understanding.ts";
import type { Vectors } from "../../bots/vectors.ts";
import type { BotDocument } from "../../domain/bot.ts";
import { sha256 } from "../../domain/sha256.ts";
import { TrainingThread } from "../../intent/classifier.ts";
import { canCrossValidate, crossValidateBot } from "../cross-validate-bot.ts";
import { type DecidedUtterance, decideUtterances } from "../decide-utterances.ts";
import { Slices } from "../slices.ts";

/** Bots whose results are kept: what is published is compared with one draft after another. */
const MOST_KEPT = 16;
/**
 * The most work that a preview waits for, in steps of `trainingWorkOf`: half of a training that `seed` announces as taking a while. The bot
 * is trained five times on four fifths of its examples.
 */
const MOST_STEPS = 1_500_000;

/** What a cross-validation takes beside the bot. */
interface ValidationParts {
  /** Its documents, and which they are: another generation is decided anew. */
  knowledge: BotKnowledge;
  generation: number | undefined;
  understand: Understand;
  vectors: Vectors;
  signal: AbortSignal;
  /** Called with the share that is done, 0–1. */
  report: (done: number) => void;
}

/** Whether a preview, which somebody waits for, can afford to cross-validate a bot. */
export function isQuickToValidate(document: BotDocument): boolean {
  return canCrossValidate(document) && trainingWorkOf(document).steps <= MOST_STEPS;
}

/** What bots make of their own examples unseen, each worked out once: on a thread the training, in slices the deciding. */
export class CrossValidations {
  /** The one that was used last at the end. */
  readonly #kept = new Map<string, readonly DecidedUtterance[]>();

  /** @throws the signal's reason where it aborts. */
  async find(document: BotDocument, parts: ValidationParts): Promise<readonly DecidedUtterance[]> {
    const key = keyOf(document, parts.generation);
    const decided = this.#kept.get(key) ?? (await validate(document, parts));
    this.#kept.delete(key);
    this.#kept.set(key, decided);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return decided;
  }
}

async function validate(
  document: BotDocument,
  { knowledge, understand, vectors, signal, report }: ValidationParts,
): Promise<DecidedUtterance[]> {
  using thread = new TrainingThread();
  const slices = new Slices(signal);
  return await orAborted(
    crossValidateBot(thread, { document, knowledge }, report, (bot, utterances) =>
      decideUtterances(bot, utterances, { understand, vectors, slices }),
    ),
    signal,
  );
}

/** By all of a bot that its decisions may depend on: what it looks like does not matter, and what it says where it has no documents. */
function keyOf(
  {
    name: _name,
    allowedDomains: _domains,
    tests: _tests,
    theme: _theme,
    welcomeMessage: _welcome,
    suggestedQuestions: _questions,
    instructions: _instructions,
    intents = [],
    ...decides
  }: BotDocument,
  generation: number | undefined,
): string {
  const judged =
    generation === undefined
      ? intents.map(({ responses: _r, guidance: _g, fallbackResponse: _f, ...intent }) => intent)
      : intents;
  return sha256(JSON.stringify([judged, decides, generation])).toString("base64url");
}
