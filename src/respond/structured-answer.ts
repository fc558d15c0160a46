import { healJson } from "./heal-json.ts";
import { isTextSchema } from "./prompt.ts";

/** The result of checking an answer against its schema; `error` is one line. */
export type Checked = { valid: true; response: string } | { valid: false; error: string };

interface StructuredAnswer {
  text: string;
  /** The model's token limit ended the answer. */
  truncated: boolean;
}

/**
 * Holds a model's answer against its schema; an answer that fails is healed first. An answer that was cut off, or that only repeats
 * the schema, never passes.
 */
export function checkAnswer(
  { text, truncated }: StructuredAnswer,
  schema: unknown,
  enforce: (text: string) => Checked,
): Checked {
  if (truncated) return { valid: false, error: "the answer was cut off at the model's token limit" };
  const asWritten = enforce(text);
  const healed = asWritten.valid || isTextSchema(schema) ? undefined : healJson(text);
  // If healing changed nothing, the text was checked already.
  const checked = healed === undefined || healed === text.trim() ? asWritten : enforce(healed);
  return checked.valid && repeatsSchema(checked.response, schema)
    ? { valid: false, error: "the answer repeats the schema instead of following it" }
    : checked;
}

function repeatsSchema(response: string, schema: unknown): boolean {
  return !isTextSchema(schema) && Bun.deepEquals(JSON.parse(response), schema);
}
