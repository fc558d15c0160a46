import type { DecisionReceipt } from "../domain/decision.ts";
import { LEANS, signsOfLeaning } from "../governance/follow-up/leaning.ts";
import type { PreviousMessage } from "../store/interface/analytics.ts";

/** A message with its dependence on the message before. */
export interface SaidAfter extends PreviousMessage {
  /** Empty if texts are not stored. */
  input: string;
}

/** Probability (0–1) that a message depends on the one before it; null if not judged. */
export function leansOf({ readings }: Pick<DecisionReceipt, "readings">): number | null {
  const chances = readings.flatMap(({ leans }) => leans ?? []);
  return chances.length === 0 ? null : Math.max(...chances);
}

/** A message in the form of an example. */
export interface ExampleText {
  /** For a fragment, the text to use after `after`: alone it would be no example. */
  text: string;
  /** The message before a fragment; absent for a message that stands alone. */
  after?: string;
}

/** The form in which a message can become an example: one that depends on the message before it only together with that. */
export function asExample({ input, before, leans }: SaidAfter): ExampleText {
  if (before === null || input === "" || !isFragment(input, leans)) return { text: input };
  return { text: `${before.replace(/[\s.,;:!?…]+$/u, "")}, ${input}`, after: before };
}

/** If it was not judged: a fragment begins like one ("and …", "what about …") or has no content word. */
function isFragment(input: string, leans: number | null): boolean {
  if (leans !== null) return leans >= LEANS;
  const { goesOn, pointsBack, ownWords } = signsOfLeaning(input);
  return goesOn + pointsBack > 0 || ownWords === 0;
}
