import type { CompletionRequest, TokenUsage } from "../domain/completion.ts";

/** Tokens that servers add to each message of a prompt: its role, and marks of its start and end. Chosen by hand. */
const TOKENS_AROUND_MESSAGE = 16;

/** The server's count of tokens, limited to the possible maximum, because it is charged to a bot's budget. */
export function boundUsage(
  { promptTokens, completionTokens }: TokenUsage,
  { messages, outputSchema, maxTokens }: CompletionRequest,
): TokenUsage {
  const schema = outputSchema === undefined ? "" : JSON.stringify(outputSchema);
  const texts = [...messages.map(({ content }) => content), schema];
  return {
    promptTokens: Math.min(promptTokens, mostTokens(texts)),
    completionTokens: Math.min(completionTokens, maxTokens),
  };
}

/** As `boundUsage`, of texts that are embedded. */
export function boundEmbeddingUsage({ promptTokens }: TokenUsage, texts: readonly string[]): TokenUsage {
  return { promptTokens: Math.min(promptTokens, mostTokens(texts)), completionTokens: 0 };
}

/** No tokenizer makes more of a text than a token of every byte (byte-level BPE, and SentencePiece with its fallback to bytes). */
function mostTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + TOKENS_AROUND_MESSAGE, 0);
}
