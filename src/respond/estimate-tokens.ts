import type { PromptMessage } from "../domain/completion.ts";

/** A token for every four characters: what is counted where a server does not say. */
const CHARACTERS_PER_TOKEN = 4;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function estimatePromptTokens(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}
