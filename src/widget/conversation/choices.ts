import type { ParleyMessage } from "../public.d.ts";

/** A button below an answer, with the text it sends. */
export interface Step {
  readonly label: string;
  readonly input: string;
}

/** The choices of a message: the intents offered, or the bot's abilities listed in its text. */
export function choicesOf({ text, metadata }: ParleyMessage): readonly Step[] {
  const { suggestions, next = [] } = metadata ?? {};
  const listed = text.endsWith(`\n- ${next.at(-1)?.label}`) ? next : [];
  return suggestions?.map(({ label }) => ({ label, input: label })) ?? listed;
}

/** Follow-up questions besides the choices. */
export function nextOf(message: ParleyMessage): readonly Step[] {
  const next = message.metadata?.next ?? [];
  return next === choicesOf(message) ? [] : next;
}

/** Sources of an answer. */
export function sourcesOf({ metadata }: ParleyMessage): readonly { title: string; url?: string }[] {
  return metadata?.sources ?? [];
}

/** Whether nothing was understood. Such an answer looks like any other, because it restricts nothing. */
export function isNotUnderstood({ metadata }: ParleyMessage): boolean {
  return metadata?.enforcementReason === "no_intent_match";
}

/** Whether the bot asks a clarifying question, so that all choices may be wrong; a list of abilities is no question. */
export function isQuestion(message: ParleyMessage): boolean {
  return isNotUnderstood(message) && message.metadata?.suggestions !== undefined;
}

/** A message's text without the list at its end that the buttons repeat. */
export function textAbove({ text }: ParleyMessage, [first]: readonly Step[]): string {
  const at = first === undefined ? -1 : text.indexOf(first.label);
  return at > 0 ? text.slice(0, at).replace(/[\s«“„"-]+$/, "") : text;
}
