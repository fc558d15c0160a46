import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { NextStep } from "../../domain/chat.ts";
import type { Decision } from "../../domain/decision.ts";

/**
 * What a visitor may ask next: what the intent that is answered names, but for what the profile would refuse. An intent is asked for by its
 * first example, which surely means it. Where it names none and documents answer, or nothing does, headings that may be meant. Pure.
 */
export function nextSteps(
  { document, policy }: LoadedBot,
  decision: Decision,
  headings: readonly NextStep[] = [],
): NextStep[] {
  if (decision.kind === "restricted") return decision.rule === "no-match" ? [...headings] : [];
  const { intents = [] } = document;
  const steps = intents.find(({ name }) => name === decision.intent)?.next ?? [];
  const own = steps.flatMap((step) => {
    const intent = intents.find(({ name }) => name === step);
    if (intent === undefined) return [{ label: step, input: step }];
    if (policy.profile.standingOf(intent.name) !== "allowed") return [];
    const label = policy.labels.get(intent.name) ?? step;
    return [{ label, input: intent.examples?.[0] ?? label }];
  });
  return own.length > 0 || decision.passages === undefined ? own : [...headings];
}
