import type { PromptMessage } from "../domain/completion.ts";

/** Assumed length of a token, if the server does not count. */
const CHARACTERS_PER_TOKEN = 4;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function estimatePromptTokens(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}
