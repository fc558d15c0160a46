/** One message of a prompt, as chat-completions servers take it. */
export interface PromptMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** What a model is asked. Nothing of a visitor's request but the text of the message is in it. */
export interface CompletionRequest {
  messages: readonly PromptMessage[];
  /** Most tokens that the completion may have. */
  maxTokens: number;
  temperature?: number;
  /** JSON Schema that the server is asked to hold the completion to, where it can. */
  outputSchema?: object;
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
}

/** One call to a model server; holds no text. */
export interface ModelCall {
  server: string;
  outcome: Completion["outcome"];
  /** What was wrong, without addresses or keys. */
  reason?: string;
  milliseconds: number;
}

/** `declined`: the model, or its server's filter, would not answer; asking another one is not the cure. */
export type Completion =
  | { outcome: "ok"; text: string; truncated: boolean; server: string; usage?: TokenUsage }
  | { outcome: "declined"; text: string; server: string; usage?: TokenUsage }
  | { outcome: "timeout" | "unavailable" | "cancelled"; reason: string };

/** Calls made for a completion, in order; the completion is the last one's. */
export interface CompletionRun {
  completion: Completion;
  calls: readonly ModelCall[];
}
