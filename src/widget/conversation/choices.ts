import type { ParleyMessage } from "../public.d.ts";

const QUESTION = /^Did you mean: (.+)\?$/;

/** What a visitor whose intent stayed unclear may pick from: the labels in "Did you mean: A, B or C?". */
export function choicesOf({ metadata, text }: ParleyMessage): readonly string[] {
  const labels = metadata?.enforcementReason === "no_intent_match" ? QUESTION.exec(text)?.[1] : undefined;
  return labels?.split(/, | or (?!.* or )/) ?? [];
}
