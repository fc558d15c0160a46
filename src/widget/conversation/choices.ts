import type { ParleyMessage } from "../public.d.ts";

const QUESTION = /^Did you mean: (.+)\?\s*$/s;
const LIST_ITEM = /^\s*[-*] +(.+)$/;
const MOST_CHOICES = 6;

/**
 * What a refused visitor may pick from: the labels in "Did you mean: A, B or C?", or the list at the end of the refusal.
 * Empty for every other message.
 */
export function choicesOf(message: ParleyMessage): readonly string[] {
  if (message.metadata?.enforcementReason !== "no_intent_match") return [];
  const named = QUESTION.exec(message.text)?.[1];
  if (named !== undefined) return named.split(/, | or (?!.* or )/).slice(0, MOST_CHOICES);
  return listAtEnd(message.text);
}

function listAtEnd(text: string): readonly string[] {
  const items: string[] = [];
  for (const line of text.trimEnd().split("\n").toReversed()) {
    const item = LIST_ITEM.exec(line)?.[1];
    if (item === undefined) break;
    items.unshift(item.trim());
  }
  return items.slice(0, MOST_CHOICES);
}

/** The refusal without what its choices already say. */
export function textBesideChoices(message: ParleyMessage): string {
  const choices = choicesOf(message);
  if (choices.length === 0) return message.text;
  if (QUESTION.test(message.text)) return "";
  return message.text.trimEnd().split("\n").slice(0, -choices.length).join("\n");
}
