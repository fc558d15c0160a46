import type { ParleyMessage } from "../public.d.ts";

/** A button below an answer: what it says, and what it sends. */
export interface Step {
  readonly label: string;
  readonly input: string;
}

/** What a visitor may pick from: the intents that the bot offers, or what its text lists that it can do. */
export function choicesOf({ text, metadata }: ParleyMessage): readonly Step[] {
  const { suggestions, next = [] } = metadata ?? {};
  const listed = text.endsWith(`\n- ${next.at(-1)?.label}`) ? next : [];
  return suggestions?.map(({ label }) => ({ label, input: label })) ?? listed;
}

/** What may be asked next, beside what there is to pick from. */
export function nextOf(message: ParleyMessage): readonly Step[] {
  const next = message.metadata?.next ?? [];
  return next === choicesOf(message) ? [] : next;
}

/** Where an answer was taken from. */
export function sourcesOf({ metadata }: ParleyMessage): readonly { title: string; url?: string }[] {
  return metadata?.sources ?? [];
}

/** Whether nothing was understood, which looks like any other answer: it restricts nothing. */
export function isNotUnderstood({ metadata }: ParleyMessage): boolean {
  return metadata?.enforcementReason === "no_intent_match";
}

/** Whether the bot asks what is meant, so that its choices may all be wrong; what it says it can do is no question. */
export function isQuestion(message: ParleyMessage): boolean {
  return isNotUnderstood(message) && message.metadata?.suggestions !== undefined;
}

/** A message's text without the list at its end of what stands below it as buttons. */
export function textAbove({ text }: ParleyMessage, [first]: readonly Step[]): string {
  const at = first === undefined ? -1 : text.indexOf(first.label);
  return at > 0 ? text.slice(0, at).replace(/[\s«“„"-]+$/, "") : text;
}
