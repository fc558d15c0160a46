import type { DecisionReceipt } from "../domain/decision.ts";
import { LEANS, signsOfLeaning } from "../governance/follow-up/leaning.ts";
import type { SaidBehind } from "../store/interface/analytics.ts";

/** A message, and how it leans on what was said before it. */
export interface SaidAfter extends SaidBehind {
  /** Empty where texts are not kept. */
  input: string;
}

/** The chance, 0–1, that a turn's message leans on the one before it; null where it was not judged so. */
export function leansOf({ readings }: Pick<DecisionReceipt, "readings">): number | null {
  const chances = readings.flatMap(({ leans }) => leans ?? []);
  return chances.length === 0 ? null : Math.max(...chances);
}

/** A message as an example may have it. */
export interface ExampleText {
  /** Of a fragment, behind what was said before it: alone it is an example of nothing. */
  text: string;
  /** What a fragment was said after; absent of a message that stands alone. */
  after?: string;
}

/** What of a message may become an example: a message that leans on the one before it, only with that. */
export function asExample({ input, before, leans }: SaidAfter): ExampleText {
  if (before === null || input === "" || !isFragment(input, leans)) return { text: input };
  return { text: `${before.replace(/[\s.,;:!?…]+$/u, "")}, ${input}`, after: before };
}

/** Without a judgement, a message is one that begins as such messages do ("and …", "what about …"), or that names nothing. */
function isFragment(input: string, leans: number | null): boolean {
  if (leans !== null) return leans >= LEANS;
  const { goesOn, pointsBack, ownWords } = signsOfLeaning(input);
  return goesOn + pointsBack > 0 || ownWords === 0;
}
