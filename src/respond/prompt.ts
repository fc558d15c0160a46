import type { PromptMessage } from "../domain/completion.ts";
import type { PastTurn } from "../domain/conversation.ts";
import { type HistoryBudget, recallTurns } from "./history.ts";
import { withoutTemplateMarkers } from "./template-markers.ts";

export interface PromptParts {
  /** The bot's role, and its allowed and denied subjects. */
  brief: string;
  /** The detected intent, with its guidance. */
  topic: string;
  /** JSON Schema that the answer has to satisfy; absent: free text. */
  outputSchema?: unknown;
  turns: readonly PastTurn[];
  history: HistoryBudget;
  input: string;
}

/** Longest part of a failed answer that the model is shown again. */
const SHOWN_AGAIN = 8000;

/**
 * The prompt for one message: rules in the system's voice, then the latest turns, then the message. What visitors wrote
 * stands in their own messages only.
 */
export function buildPrompt({
  brief,
  topic,
  outputSchema,
  turns,
  history,
  input,
}: PromptParts): PromptMessage[] {
  const form = outputSchema === undefined ? [] : [formOf(outputSchema)];
  return [
    { role: "system", content: [brief, topic, ...form].join("\n\n") },
    ...recallTurns(turns, history),
    { role: "user", content: withoutTemplateMarkers(input) },
  ];
}

/** The prompt that follows an answer whose form was wrong. */
export function buildRepairPrompt(
  prompt: readonly PromptMessage[],
  answer: string,
  fault: string,
): PromptMessage[] {
  const demand = `That answer cannot be used: ${fault}. Give the answer again, complete and in the required form, with nothing before or after it.`;
  return [
    ...prompt,
    { role: "assistant", content: answer.slice(0, SHOWN_AGAIN) },
    { role: "user", content: demand },
  ];
}

function formOf(schema: unknown): string {
  const demand = isTextSchema(schema)
    ? "Answer with plain text that satisfies this JSON Schema; do not put it in quotes."
    : "Answer with one JSON value that satisfies this JSON Schema, and nothing else: no explanation, no code fence. Do not repeat the schema itself.";
  return `${demand}\n${JSON.stringify(schema)}`;
}

/** Whether the schema is of type `string`: then it describes the answer as plain text, not as JSON. */
export function isTextSchema(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && "type" in schema && schema.type === "string";
}
