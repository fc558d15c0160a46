import type { CompletionRun, ModelCall, PromptMessage, TokenUsage } from "../../domain/completion.ts";
import type { ModelReceipt } from "../../domain/decision.ts";
import type { EmbeddingRun } from "../../model/model-fleet.ts";
import { estimatePromptTokens, estimateTokens } from "../../respond/estimate-tokens.ts";

/** What one turn asked of models, and what it cost. */
export class ModelCosts {
  readonly #calls: ModelCall[] = [];
  readonly #usage: TokenUsage = { promptTokens: 0, completionTokens: 0 };
  #isEstimated = false;
  #marks: Pick<ModelReceipt, "wasRepaired" | "wasTruncated"> = {};

  /** `said` is what was heard of the answer, also of one that broke off. */
  add({ completion, calls }: CompletionRun, messages: readonly PromptMessage[], said: string): void {
    this.#calls.push(...calls);
    const counted = "usage" in completion ? completion.usage : undefined;
    if (counted) this.#addUsage(counted);
    else if (said !== "") {
      this.#isEstimated = true;
      this.#addUsage({
        promptTokens: estimatePromptTokens(messages),
        completionTokens: estimateTokens(said),
      });
    }
  }

  addEmbedding({ call, vectors, usage }: EmbeddingRun, text: string): void {
    this.#calls.push(call);
    if (usage) this.#addUsage(usage);
    else if (vectors) {
      this.#isEstimated = true;
      this.#addUsage({ promptTokens: estimateTokens(text), completionTokens: 0 });
    }
  }

  mark(marks: Pick<ModelReceipt, "wasRepaired" | "wasTruncated">): void {
    this.#marks = { ...this.#marks, ...marks };
  }

  get tokens(): number {
    return this.#usage.promptTokens + this.#usage.completionTokens;
  }

  /** Undefined where no server was called. */
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
