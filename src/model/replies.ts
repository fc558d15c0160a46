import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import type { TokenUsage } from "../domain/completion.ts";

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

const Usage = Type.Object({
  prompt_tokens: Type.Optional(Type.Integer({ minimum: 0 })),
  completion_tokens: Type.Optional(Type.Integer({ minimum: 0 })),
});

const SpokenMessage = Type.Object({ content: Nullable(Type.String()), refusal: Nullable(Type.String()) });

/** What is read of a chat completion; whatever else a server sends is ignored. */
export const ChatCompletion = Type.Object({
  choices: Type.Array(Type.Object({ message: SpokenMessage, finish_reason: Nullable(Type.String()) })),
  usage: Nullable(Usage),
});
export type ChatCompletion = Static<typeof ChatCompletion>;

/** What is read of one event of a streamed chat completion. */
export const ChatCompletionChunk = Type.Object({
  choices: Type.Array(
    Type.Object({ delta: Nullable(SpokenMessage), finish_reason: Nullable(Type.String()) }),
  ),
  usage: Nullable(Usage),
});
export type ChatCompletionChunk = Static<typeof ChatCompletionChunk>;

export const EmbeddingList = Type.Object({
  data: Type.Array(Type.Object({ index: Type.Integer(), embedding: Type.Array(Type.Number()) })),
  usage: Nullable(Usage),
});

export const ModelList = Type.Object({ data: Type.Array(Type.Object({ id: Type.String() })) });

/** The reply, or undefined where the text is no JSON of that shape. */
export function parseReply<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> | undefined {
  const value = parseJson(text);
  return Value.Check(schema, value) ? value : undefined;
}

export function usageOf(usage: Static<typeof Usage> | null | undefined): TokenUsage | undefined {
  if (!usage) return undefined;
  return { promptTokens: usage.prompt_tokens ?? 0, completionTokens: usage.completion_tokens ?? 0 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
