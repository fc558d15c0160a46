import type { ParleyMessage } from "../public.d.ts";

/** What a visitor may pick from: the labels of the intents that the bot offers. */
export function choicesOf({ metadata }: ParleyMessage): readonly string[] {
  return metadata?.suggestions?.map(({ label }) => label) ?? [];
}

/** Where an answer was taken from, or what may help. */
export function sourcesOf({ metadata }: ParleyMessage): readonly { title: string; url?: string }[] {
  return metadata?.sources ?? [];
}

/** Whether the bot asks what is meant, so that its choices may all be wrong; what it says it can do is no question. */
export function isQuestion({ metadata }: ParleyMessage): boolean {
  return metadata?.enforcementReason === "no_intent_match";
}

/** A message's text without the list at its end of what stands below it: choices as buttons, documents that may help as cards. */
export function textAbove({ text, metadata }: ParleyMessage, [first]: readonly string[]): string {
  if (metadata?.mayHelp) return text.split("\n", 1)[0]!;
  const at = first === undefined ? -1 : text.indexOf(first);
  return at > 0 ? text.slice(0, at).replace(/[\s«“„"-]+$/, "") : text;
}
