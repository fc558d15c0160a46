import type { ParleyMessage } from "../public.d.ts";

/** What a visitor may pick from: the labels of the intents that the bot offers. */
export function choicesOf({ metadata }: ParleyMessage): readonly string[] {
  return metadata?.suggestions?.map(({ label }) => label) ?? [];
}

/** Where an answer was taken from. */
export function sourcesOf({ metadata }: ParleyMessage): readonly { title: string; url?: string }[] {
  return metadata?.sources ?? [];
}

/** Whether the bot asks what is meant, so that its choices may all be wrong; what it says it can do is no question. */
export function isQuestion({ metadata }: ParleyMessage): boolean {
  return metadata?.enforcementReason === "no_intent_match";
}

/** A message's text without the list at its end of the choices that stand below it as buttons. */
export function textAbove({ text }: ParleyMessage, [first]: readonly string[]): string {
  const at = first === undefined ? -1 : text.indexOf(first);
  return at > 0 ? text.slice(0, at).replace(/[\s«“„"-]+$/, "") : text;
}
