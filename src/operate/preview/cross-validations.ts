import type { BotKnowledge } from "../../bots/bot-knowledge.ts";
import { orAborted, trainingWorkOf } from "../../bots/training.ts";
import type { Understand } from "../../bots/understanding.ts";
import type { Vectors } from "../../bots/vectors.ts";
import type { BotDocument } from "../../domain/bot.ts";
import { sha256 } from "../../domain/sha256.ts";
import { TrainingThread } from "../../intent/classifier.ts";
import { canCrossValidate, crossValidateBot } from "../cross-validate-bot.ts";
import { type DecidedUtterance, decideUtterances } from "../decide-utterances.ts";
import { Slices } from "../long-work.ts";

/** Bots whose results are cached: the published version is compared with many drafts. */
const MAX_KEPT = 16;
/**
 * Most work for a preview, in steps of `trainingWorkOf`: half of the training that `seed` announces as slow. The bot is trained five times
 * on four fifths of its examples.
 */
const MAX_STEPS = 1_500_000;

/** The parts that a cross-validation uses besides the bot. */
interface ValidationParts {
  /** Its documents with their generation; a new generation is decided again. */
  knowledge: BotKnowledge;
  generation: number | undefined;
  understand: Understand;
  vectors: Vectors;
  signal: AbortSignal;
  /** Receives the share done, 0–1. */
  report: (done: number) => void;
}

/** Whether cross-validating a bot is quick enough for a preview. */
export function isQuickToValidate(document: BotDocument): boolean {
  return canCrossValidate(document) && trainingWorkOf(document).steps <= MAX_STEPS;
}

/** Cross-validations of bots, each computed once. Training runs on a thread, deciding in slices. */
export class CrossValidations {
  /** Least recently used first. */
  readonly #kept = new Map<string, readonly DecidedUtterance[]>();

  /** @throws the signal's reason if it aborts. */
  async find(document: BotDocument, parts: ValidationParts): Promise<readonly DecidedUtterance[]> {
    const key = keyOf(document, parts.generation);
    const decided = this.#kept.get(key) ?? (await validate(document, parts));
    this.#kept.delete(key);
    this.#kept.set(key, decided);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
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

/** Key of all parts of a bot that affect its decisions. The theme is left out, and so are document settings if there are no documents. */
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
