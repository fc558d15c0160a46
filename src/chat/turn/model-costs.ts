import type { CompletionRun, ModelCall, PromptMessage, TokenUsage } from "../../domain/completion.ts";
import type { ModelReceipt } from "../../domain/decision.ts";
import type { EmbeddingRun } from "../../model/model-fleet.ts";

type ModelMarks = Pick<ModelReceipt, "wasRepaired" | "wasTruncated" | "rejected">;

/** Calls to models in one turn, and their costs. */
export class ModelCosts {
  readonly #calls: ModelCall[] = [];
  readonly #usage: TokenUsage = { promptTokens: 0, completionTokens: 0 };
  #isEstimated = false;
  #marks: ModelMarks = {};

  /**
   * A sent prompt is charged even if the client did not wait for its answer; otherwise clients could disconnect each time and spend without
   * limit.
   *
   * @param said the received text of the answer, complete or not.
   */
  add({ completion, calls, givenUp }: CompletionRun, messages: readonly PromptMessage[], said: string): void {
    this.#calls.push(...calls);
    const counted = "usage" in completion ? completion.usage : undefined;
    if (counted) this.#addUsage(counted);
    const wasHeard = counted === undefined && said !== "";
    const prompts = givenUp + (wasHeard && !("wasSent" in completion) ? 1 : 0);
    if (prompts === 0) return;
    this.#isEstimated = true;
    this.#addUsage({
      promptTokens: prompts * estimatePromptTokens(messages),
      completionTokens: wasHeard ? estimateTokens(said) : 0,
    });
  }

  addEmbedding({ call, vectors, usage, wasSent }: EmbeddingRun, text: string): void {
    this.#calls.push(call);
    if (usage) this.#addUsage(usage);
    else if (vectors || wasSent) {
      this.#isEstimated = true;
      this.#addUsage({ promptTokens: estimateTokens(text), completionTokens: 0 });
    }
  }

  mark(marks: ModelMarks): void {
    this.#marks = { ...this.#marks, ...marks };
  }

  get tokens(): number {
    return this.#usage.promptTokens + this.#usage.completionTokens;
  }

  /** Undefined if no server was called. */
  get receipt(): ModelReceipt | undefined {
    if (this.#calls.length === 0) return undefined;
    return {
      calls: this.#calls,
      usage: this.#usage,
      ...(this.#isEstimated && { isUsageEstimated: true }),
      ...this.#marks,
    };
  }

  #addUsage({ promptTokens, completionTokens }: TokenUsage): void {
    this.#usage.promptTokens += promptTokens;
    this.#usage.completionTokens += completionTokens;
  }
}

/** How servers are asked: until when, and on whose account. */
export interface AskingServers {
  signal: AbortSignal;
  costs: ModelCosts;
}

/** Assumed length of a token, if the server does not count. */
const CHARACTERS_PER_TOKEN = 4;

function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function estimatePromptTokens(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}
