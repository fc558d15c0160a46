import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { BotIntent, ClassifierSettings } from "../../domain/bot.ts";
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
import { mayBeTold } from "./respond-from-documents.ts";
import type { CompletingModels } from "./respond-with-model.ts";
import type { AskingServers } from "./weigh-embedding.ts";

/** Where the bot sets none: how far a chance may be from its bound for a model to be asked. */
const DEFAULT_BAND = 0.15;
/** A question as long as it may be, and what answers it, as JSON; in languages of few letters to a token, too. */
const MOST_TOKENS = 400;
/** So that a prompt still fits a small model's context. */
const MOST_INTENTS = 100;
const MOST_EXAMPLES = 3;

/**
 * Whether a model reads a message: where the likeliest of what competed is about as sure as an answer has to be; where nothing competed, where the chance to be in
 * scope of one of its readings is near to the threshold. Pure.
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

/** What a model made of a message. */
export interface ReadMessage {
  /** The question that stands alone; absent where the model said nothing that can be used. */
  question?: string;
  assistance: Pick<IntentAssistance, "judge" | "chosen" | "passedOver">;
}

type Candidate = ReadableCandidate & { target: SubjectReference };

/**
 * Has the bot's model put a message as a question that stands alone, and say what answers that. It is told the latest turns that the profile allowed, and of what may
 * answer; nothing of what the profile does not allow.
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
    { messages, maxTokens: MOST_TOKENS, temperature: 0, outputSchema },
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

function isAllowed({ policy: { mode, profile } }: LoadedBot, intent: BotIntent["name"]): boolean {
  return mode === "observe" || profile.standingOf(intent) === "allowed";
}

function intentsOf(bot: LoadedBot): Candidate[] {
  const { intents = [] } = bot.document;
  return intents
    .filter(({ name }) => isAllowed(bot, name))
    .slice(0, MOST_INTENTS)
    .map(({ name, description, examples = [] }) => {
      const samples = examples.slice(0, MOST_EXAMPLES).map((example) => JSON.stringify(example));
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
