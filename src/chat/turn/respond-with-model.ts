import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { ModelResponder } from "../../domain/bot.ts";
import type { Completion, PromptMessage } from "../../domain/completion.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { IntentName } from "../../domain/ids.ts";
import type { OutputRule } from "../../governance/output/output-policy.ts";
import { Deadline } from "../../model/deadline.ts";
import type { ModelFleet } from "../../model/model-fleet.ts";
import { healJson } from "../../respond/heal-json.ts";
import { DEFAULT_HISTORY } from "../../respond/history.ts";
import { buildPrompt, buildRepairPrompt, isTextSchema } from "../../respond/prompt.ts";
import type { TurnFollower } from "../message.ts";
import { type Answer, fallbackAnswer, freeAnswer, type Reply, validAnswer } from "./answer.ts";
import type { ModelCosts } from "./model-costs.ts";

/** The models that can complete a prompt. */
export type CompletingModels = Pick<ModelFleet, "complete">;

/** An allowed message that a model is to answer. */
export interface ModelTask {
  bot: LoadedBot;
  intent: IntentName;
  responder: ModelResponder;
  turns: readonly PastTurn[];
  input: string;
  /** Aborts when no caller waits for the answer any more. */
  left: AbortSignal;
  /** Receives each piece of the answer that may be shown. */
  follower: TurnFollower | undefined;
  costs: ModelCosts;
}

/** Default; about 700 English words, more than a chat window shows well. Chosen by hand. */
export const DEFAULT_MAX_TOKENS = 1024;
/** Default; visitors hardly wait longer. Chosen by hand. */
export const DEFAULT_DEADLINE_MS = 60_000;

/**
 * Has a model answer, within the responder's deadline. An answer with an output schema is sent when it is valid, any other while it is
 * generated; the sent text is the result. If no model answers, a bot with hand-off answers with `modelDown`.
 *
 * @throws ServiceError MODEL_ERROR | MODEL_TIMEOUT for a bot without hand-off, and after part of an answer was sent.
 */
export async function respondWithModel(models: CompletingModels, task: ModelTask): Promise<Reply> {
  const { bot, intent, responder, left } = task;
  using deadline = new Deadline(responder.deadlineMs ?? DEFAULT_DEADLINE_MS, left);
  const rule = bot.outputRuleFor(intent);
  // No answer could satisfy the schema, so no model is asked.
  if (rule?.fault !== undefined) return replaceUnasked(fallbackAnswer(rule, rule.fault), task);
  const dialogue = new Dialogue(models, task, rule, deadline.signal);
  const prompt = buildPrompt({
    brief: bot.brief,
    topic: bot.topicOf(intent),
    ...(rule && { outputSchema: rule.schema }),
    turns: task.turns,
    history: { ...DEFAULT_HISTORY, ...responder.history },
    input: task.input,
  });
  // Awaited: the deadline ends with this function.
  return await answerPrompt(dialogue, prompt, task, rule);
}

function replaceUnasked(answer: Answer, { follower }: ModelTask): Reply {
  follower?.said(answer.response);
  return { state: "complete", answer };
}

/** The prompts of one answer: one, or two if the first answer must be repaired. */
class Dialogue {
  /** The text sent to the visitor so far. */
  said = "";
  readonly #models: CompletingModels;
  readonly #task: ModelTask;
  readonly #rule: OutputRule | undefined;
  readonly #signal: AbortSignal;

  constructor(models: CompletingModels, task: ModelTask, rule: OutputRule | undefined, signal: AbortSignal) {
    this.#models = models;
    this.#task = task;
    this.#rule = rule;
    this.#signal = signal;
  }

  async ask(messages: readonly PromptMessage[]): Promise<Completion> {
    const { responder, costs, follower } = this.#task;
    const { temperature, maxTokens = DEFAULT_MAX_TOKENS } = responder;
    const schema = this.#rule?.schema;
    const isStreamed = follower !== undefined && this.#rule === undefined;
    const run = await this.#models.complete(
      responder.models,
      {
        messages,
        maxTokens,
        ...(temperature !== undefined && { temperature }),
        ...(typeof schema === "object" && schema !== null && { outputSchema: schema }),
      },
      { signal: this.#signal, ...(isStreamed && { onText: (text: string) => this.say(text) }) },
    );
    costs.add(run, messages, "text" in run.completion ? run.completion.text : this.said);
    return run.completion;
  }

  say(text: string): void {
    this.said += text;
    this.#task.follower?.said(text);
  }
}

async function answerPrompt(
  dialogue: Dialogue,
  prompt: readonly PromptMessage[],
  task: ModelTask,
  rule: OutputRule | undefined,
): Promise<Reply> {
  const completion = await dialogue.ask(prompt);
  if (task.left.aborted) return cutOff(dialogue);
  if (completion.outcome !== "ok" && completion.outcome !== "declined")
    return withoutModel(dialogue, modelFailure(completion, task), task);
  const answer = rule
    ? await enforceCompletion(dialogue, prompt, completion, task, rule)
    : freeAnswer(spokenText(dialogue, completion, task));
  if (task.left.aborted) return cutOff(dialogue);
  if (dialogue.said === "") dialogue.say(answer.response);
  return { state: "complete", answer };
}

/** The result if no caller waits any more. */
function cutOff({ said }: Dialogue): Reply {
  return { state: "cut", answer: freeAnswer(said) };
}

/** @throws the failure, if there is no person to offer or part of an answer was sent. */
function withoutModel(dialogue: Dialogue, failure: ServiceError, { bot }: ModelTask): Reply {
  if (bot.document.handoff === undefined || dialogue.said !== "") throw failure;
  const answer = freeAnswer(bot.policy.texts.say("modelDown"));
  dialogue.say(answer.response);
  return { state: "unanswered", answer, failure };
}

type Spoken = Extract<Completion, { text: string }>;
type Unanswered = Exclude<Completion, Spoken>;

function spokenText({ said }: Dialogue, completion: Spoken, { bot, costs }: ModelTask): string {
  if (completion.outcome === "ok" && completion.truncated) costs.mark({ wasTruncated: true });
  return said || completion.text || bot.script.withoutResponses;
}

/** Enforce: heal, validate, one repair attempt, fallback. */
async function enforceCompletion(
  dialogue: Dialogue,
  prompt: readonly PromptMessage[],
  completion: Spoken,
  { costs }: ModelTask,
  rule: OutputRule,
): Promise<Answer> {
  if (completion.outcome === "declined") return fallbackAnswer(rule, "the model declined to answer");
  const first = checkAnswer(completion, rule.schema, rule.enforce);
  if (first.valid) return validAnswer(first.response);
  costs.mark({ wasRepaired: true });
  const repaired = await dialogue.ask(buildRepairPrompt(prompt, completion.text, first.error));
  if (repaired.outcome !== "ok") return fallbackAnswer(rule, first.error);
  const second = checkAnswer(repaired, rule.schema, rule.enforce);
  return second.valid ? validAnswer(second.response) : fallbackAnswer(rule, second.error);
}

/** Details about servers are only logged, never part of an answer. */
function modelFailure(completion: Unanswered, { costs }: ModelTask): ServiceError {
  const logFields = { reason: completion.reason, modelCalls: costs.receipt?.calls ?? [] };
  return completion.outcome === "unavailable"
    ? new ServiceError("MODEL_ERROR", "No model server could answer; try again shortly.", { logFields })
    : new ServiceError("MODEL_TIMEOUT", "The model server took too long to answer; try again shortly.", {
        logFields,
      });
}

/** The result of checking an answer against its schema; `error` is one line. */
export type Checked = { valid: true; response: string } | { valid: false; error: string };

interface StructuredAnswer {
  text: string;
  /** The model's token limit ended the answer. */
  truncated: boolean;
}

/**
 * Holds a model's answer against its schema; an answer that fails is healed first. An answer that was cut off, or that only repeats
 * the schema, never passes.
 */
export function checkAnswer(
  { text, truncated }: StructuredAnswer,
  schema: unknown,
  enforce: (text: string) => Checked,
): Checked {
  if (truncated) return { valid: false, error: "the answer was cut off at the model's token limit" };
  const asWritten = enforce(text);
  const healed = asWritten.valid || isTextSchema(schema) ? undefined : healJson(text);
  // If healing changed nothing, the text was checked already.
  const checked = healed === undefined || healed === text.trim() ? asWritten : enforce(healed);
  return checked.valid && repeatsSchema(checked.response, schema)
    ? { valid: false, error: "the answer repeats the schema instead of following it" }
    : checked;
}

function repeatsSchema(response: string, schema: unknown): boolean {
  return !isTextSchema(schema) && Bun.deepEquals(JSON.parse(response), schema);
}
