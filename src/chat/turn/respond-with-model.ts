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
import { buildPrompt, buildRepairPrompt, DEFAULT_HISTORY, isTextSchema } from "../../respond/prompt.ts";
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
  const answering = new ModelAnswer(models, task, rule, deadline.signal);
  // No answer could satisfy the schema, so no model is asked.
  if (rule?.fault !== undefined) return answering.complete(fallbackAnswer(rule, rule.fault));
  const prompt = buildPrompt({
    brief: bot.brief,
    topic: bot.topicOf(intent),
    ...(rule && { outputSchema: rule.schema }),
    turns: task.turns,
    history: { ...DEFAULT_HISTORY, ...responder.history },
    input: task.input,
  });
  // Awaited: the deadline ends with this function.
  return await answering.answer(prompt);
}

type Spoken = Extract<Completion, { text: string }>;
type Unanswered = Exclude<Completion, Spoken>;

/** An answer while it is made, by one prompt, or two if the first answer must be repaired. */
class ModelAnswer {
  readonly #models: CompletingModels;
  readonly #task: ModelTask;
  readonly #rule: OutputRule | undefined;
  readonly #signal: AbortSignal;
  /** The text sent to the visitor so far. */
  #said = "";

  constructor(models: CompletingModels, task: ModelTask, rule: OutputRule | undefined, signal: AbortSignal) {
    this.#models = models;
    this.#task = task;
    this.#rule = rule;
    this.#signal = signal;
  }

  async answer(prompt: readonly PromptMessage[]): Promise<Reply> {
    const { left } = this.#task;
    const completion = await this.#ask(prompt);
    if (left.aborted) return this.#cutOff();
    if (completion.outcome !== "ok" && completion.outcome !== "declined")
      return this.#withoutModel(modelFailure(completion, this.#task));
    const answer = this.#rule
      ? await this.#enforce(prompt, completion, this.#rule)
      : freeAnswer(this.#spokenText(completion));
    return left.aborted ? this.#cutOff() : this.complete(answer);
  }

  complete(answer: Answer): Reply {
    if (this.#said === "") this.#say(answer.response);
    return { state: "complete", answer };
  }

  async #ask(messages: readonly PromptMessage[]): Promise<Completion> {
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
      { signal: this.#signal, ...(isStreamed && { onText: (text: string) => this.#say(text) }) },
    );
    costs.add(run, messages, "text" in run.completion ? run.completion.text : this.#said);
    return run.completion;
  }

  #say(text: string): void {
    this.#said += text;
    this.#task.follower?.said(text);
  }

  /** The result if no caller waits any more. */
  #cutOff(): Reply {
    return { state: "cut", answer: freeAnswer(this.#said) };
  }

  /** @throws the failure, if there is no person to offer or part of an answer was sent. */
  #withoutModel(failure: ServiceError): Reply {
    const { document, policy } = this.#task.bot;
    if (document.handoff === undefined || this.#said !== "") throw failure;
    const answer = freeAnswer(policy.texts.say("modelDown"));
    this.#say(answer.response);
    return { state: "unanswered", answer, failure };
  }

  #spokenText(completion: Spoken): string {
    const { bot, costs } = this.#task;
    if (completion.outcome === "ok" && completion.truncated) costs.mark({ wasTruncated: true });
    return this.#said || completion.text || bot.script.withoutResponses;
  }

  /** Heal, validate, one repair attempt, fallback. */
  async #enforce(prompt: readonly PromptMessage[], completion: Spoken, rule: OutputRule): Promise<Answer> {
    if (completion.outcome === "declined") return fallbackAnswer(rule, "the model declined to answer");
    const first = checkAnswer(completion, rule.schema, rule.enforce);
    if (first.valid) return validAnswer(first.response);
    this.#task.costs.mark({ wasRepaired: true });
    const repaired = await this.#ask(buildRepairPrompt(prompt, completion.text, first.error));
    if (repaired.outcome !== "ok") return fallbackAnswer(rule, first.error);
    const second = checkAnswer(repaired, rule.schema, rule.enforce);
    return second.valid ? validAnswer(second.response) : fallbackAnswer(rule, second.error);
  }
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
