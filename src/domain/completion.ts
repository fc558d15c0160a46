import { type Static, Type } from "@sinclair/typebox";

import { oneOf } from "./schemas.ts";

/** One message of a prompt, as chat-completions servers take it. */
export interface PromptMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** A request to a model. Of the visitor's request it contains only the text of the message. */
export interface CompletionRequest {
  messages: readonly PromptMessage[];
  /** Most tokens that the completion may have. */
  maxTokens: number;
  temperature?: number;
  /** JSON Schema for the completion, if the server supports one. */
  outputSchema?: object;
}

export const TokenUsage = Type.Object({ promptTokens: Type.Number(), completionTokens: Type.Number() });
export type TokenUsage = Static<typeof TokenUsage>;

/** One call to a model server; holds no text. */
export const ModelCall = Type.Object({
  server: Type.String(),
  outcome: oneOf(["ok", "declined", "timeout", "unavailable", "cancelled"]),
  /** The failure, without addresses or keys. */
  reason: Type.Optional(Type.String()),
  milliseconds: Type.Number(),
});
export type ModelCall = Static<typeof ModelCall>;

/** `declined`: the model, or a filter of its server, refused to answer. No other server is asked then. */
export type Completion =
  | { outcome: "ok"; text: string; truncated: boolean; server: string; usage?: TokenUsage }
  | { outcome: "declined"; text: string; server: string; usage?: TokenUsage }
  | Unanswered;

/** `wasSent`: the server has had the prompt, and may have worked on it. */
export interface Unanswered {
  outcome: "timeout" | "unavailable" | "cancelled";
  reason: string;
  wasSent?: true;
}

/** Calls made for a completion, in order; the completion is the last one's. */
export interface CompletionRun {
  completion: Completion;
  calls: readonly ModelCall[];
  /** Of those, how many were given up after the prompt was sent. */
  givenUp: number;
}
