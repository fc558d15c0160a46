import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { ClassifierSettings } from "../../domain/bot.ts";
import type { DecisionReceipt, IntentAssistance } from "../../domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import type { SubjectReference } from "../../domain/subject.ts";
import { ABOUT_SURE } from "../../governance/choose-answer.ts";
import { titleOf } from "../../knowledge/passage.ts";
import {
  buildReadingPrompt,
  type ModelReading,
  parseReading,
  type ReadableCandidate,
  readingSchema,
} from "../../respond/reading-prompt.ts";
import type { DecidedMessage } from "./decided-message.ts";
import type { AskingServers } from "./model-costs.ts";
import { isAllowed } from "./plan-action.ts";
import { mayBeTold } from "./respond-from-documents.ts";
import type { CompletingModels } from "./respond-with-model.ts";

/** Default distance between a probability and its threshold within which the judge is asked. Chosen by hand. */
const DEFAULT_BAND = 0.15;
/** Enough for the longest question and the choice as JSON, also in languages with few letters per token. */
const MAX_TOKENS = 400;
/** Keeps the prompt within a small model's context. */
const MAX_INTENTS = 100;
const MAX_EXAMPLES = 3;

/**
 * Whether the judge is asked about a message: if the likeliest candidate's probability is near the threshold of an answer; without
 * candidates, if the probability of being in scope is near the threshold in one of the readings. Pure.
 */
export function isInDoubt(
  { threshold, judge }: ClassifierSettings,
  { candidates = [], readings, thresholds }: Pick<DecisionReceipt, "candidates" | "readings" | "thresholds">,
): boolean {
  if (judge === undefined) return false;
  const { band = DEFAULT_BAND } = judge;
  const isNear = (chance: number, bound: number) => Math.abs(chance - bound) <= band;
  const [best] = candidates;
  return best === undefined
    ? readings.some(({ inScope }) => isNear(inScope, thresholds.match))
    : isNear(best.chance, threshold ?? ABOUT_SURE);
}

/** The judge's result for a message. */
export interface ReadMessage {
  /** The message as a question that can be understood alone; absent if the model's reply was unusable. */
  question?: string;
  assistance: Pick<IntentAssistance, "judge" | "chosen" | "passedOver">;
}

type Candidate = ReadableCandidate & { target: SubjectReference };

/**
 * Has the judge rewrite a message as a question that can be understood alone, and choose its answer. The prompt contains the latest turns
 * and the possible answers, as far as the profile allows them.
 */
export async function readByModel(
  models: CompletingModels,
  { message: { bot, input }, conversation: { turns }, knowledge }: DecidedMessage,
  model: string,
  { signal, costs }: AskingServers,
): Promise<ReadMessage> {
  const candidates = [...intentsOf(bot), ...passagesOf(bot, knowledge?.likeliest ?? [])];
  const messages = buildReadingPrompt(bot.document.name, candidates, { turns, input });
  const outputSchema = readingSchema(candidates.length);
  const run = await models.complete(
    [model],
    { messages, maxTokens: MAX_TOKENS, temperature: 0, outputSchema },
    { signal },
  );
  const text = run.completion.outcome === "ok" ? run.completion.text : "";
  costs.add(run, messages, text);
  const reading = parseReading(text, candidates.length);
  if (reading === undefined) return { assistance: { judge: "unavailable" } };
  return { question: reading.question, assistance: choiceOf(reading, candidates) };
}

function choiceOf({ answer }: ModelReading, candidates: readonly Candidate[]): ReadMessage["assistance"] {
  if (answer === "unsure") return { judge: "left_open" };
  if (answer !== "none") return { judge: "chose", chosen: candidates[answer]!.target };
  return { judge: "chose_none", passedOver: candidates.flatMap(({ target }) => target.passage?.id ?? []) };
}

function intentsOf(bot: LoadedBot): Candidate[] {
  const { intents = [] } = bot.document;
  return intents
    .filter(({ name }) => isAllowed(bot, name))
    .slice(0, MAX_INTENTS)
    .map(({ name, description, examples = [] }) => {
      const samples = examples.slice(0, MAX_EXAMPLES).map((example) => JSON.stringify(example));
      const about = [
        ...(description === undefined ? [] : [description]),
        ...(samples.length > 0 ? [`For example ${samples.join(", ")}.`] : []),
      ];
      return {
        target: { intent: name },
        title: bot.policy.labels.get(name) ?? name,
        ...(about.length > 0 && { text: about.join(" ") }),
      };
    });
}

function passagesOf(
  bot: LoadedBot,
  likeliest: NonNullable<DecidedMessage["knowledge"]>["likeliest"],
): Candidate[] {
  if (!isAllowed(bot, KNOWLEDGE_INTENT)) return [];
  return likeliest
    .filter(({ passage }) => mayBeTold(bot, passage))
    .map(({ id, passage }) => ({
      target: { passage: { id, document: passage.documentId } },
      title: titleOf(passage),
      text: passage.body,
    }));
}
