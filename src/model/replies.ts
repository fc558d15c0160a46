import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import type { CompletionRequest, TokenUsage } from "../domain/completion.ts";

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

/** Any value: an answer is not refused for the way in which its server counts. */
const Usage = Type.Optional(Type.Unknown());

const CountedTokens = Type.Object({
  prompt_tokens: Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  completion_tokens: Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});

const SpokenMessage = Type.Object({ content: Nullable(Type.String()), refusal: Nullable(Type.String()) });

/** The fields read of a chat completion; others are ignored. */
export const ChatCompletion = Type.Object({
  choices: Type.Array(Type.Object({ message: SpokenMessage, finish_reason: Nullable(Type.String()) })),
  usage: Usage,
});
export type ChatCompletion = Static<typeof ChatCompletion>;

/** The fields read of one event of a streamed chat completion. */
export const ChatCompletionChunk = Type.Object({
  choices: Type.Array(
    Type.Object({ delta: Nullable(SpokenMessage), finish_reason: Nullable(Type.String()) }),
  ),
  usage: Usage,
});
export type ChatCompletionChunk = Static<typeof ChatCompletionChunk>;

/** The largest models in use have about 4,000 to 12,000. */
const MAX_DIMENSIONS = 16_384;

export const EmbeddingList = Type.Object({
  data: Type.Array(
    Type.Object({
      index: Type.Integer(),
      embedding: Type.Array(Type.Number(), { maxItems: MAX_DIMENSIONS }),
    }),
  ),
  usage: Usage,
});

export const ModelList = Type.Object({ data: Type.Array(Type.Object({ id: Type.String() })) });

/** The reply, or undefined if the text is not JSON of that shape. */
export function parseReply<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> | undefined {
  const value = parseJson(text);
  return Value.Check(schema, value) ? value : undefined;
}

/** The server's count of tokens; undefined if it is missing or impossible. */
export function usageOf(usage: unknown): TokenUsage | undefined {
  if (!Value.Check(CountedTokens, usage)) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (typeof prompt !== "number" && typeof completion !== "number") return undefined;
  return { promptTokens: prompt ?? 0, completionTokens: completion ?? 0 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

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
