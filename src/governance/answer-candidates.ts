import type { DecisionRule, Permission } from "../domain/decision.ts";
import { type IntentName, KNOWLEDGE_INTENT } from "../domain/ids.ts";
import type { Target, WeighedCandidate, WeighedCandidates } from "./candidates.ts";
import { type Allowance, type Choice, chooseAnswer } from "./choose-answer.ts";
import type { JudgedMessage } from "./judged-message.ts";
import { unansweredPart } from "./two-questions.ts";

/**
 * Minimum confidence at which a follow-up with a new noun ("and morphine?") is answered as the earlier intent. Of the 51 such follow-ups in
 * the adversarial set, the highest confidence is 0.81.
 */
export const SURE_OF_NEW_WORD = 0.85;

/** The intent name under which a candidate is answered. */
export function intentOf(target: Target): IntentName {
  return target.kind === "intent" ? target.intent : KNOWLEDGE_INTENT;
}

/** The intent clearly asked for by one of two parts, if the other part matches nothing; the answer mentions what it leaves open. */
export function byOnePart(
  { parts: read }: JudgedMessage,
  parts: readonly WeighedCandidates[],
  allowance: Allowance,
): Permission | undefined {
  for (const [i, part] of parts.entries()) {
    const intent = read?.parts[i]?.classification.scores[0]?.intent;
    const target = intent && ({ kind: "intent", intent } as const);
    if (!target || !allowance.isAllowed(target) || !allowance.mayJoin([target])) continue;
    const unanswered = unansweredPart(read, target.intent);
    if (unanswered !== undefined && chooseAnswer(part, [], allowance).kind === "answer")
      return { kind: "allowed", intent: target.intent, rule: "clearest-clause", unanswered };
  }
  return undefined;
}

/** After earlier messages, "and morphine?" is not a question about the same subject; it is answered only with near certainty. */
export function namesNothingNew(
  { isOfParts }: Extract<Choice, { kind: "answer" }>,
  { candidates: [best], bringsWord }: WeighedCandidates,
): boolean {
  if (!bringsWord || isOfParts || best === undefined) return true;
  return best.reading === "plain" || best.chance >= SURE_OF_NEW_WORD;
}

/** The rule recorded for an answered candidate. */
export function ruleOf({ target, reading }: Pick<WeighedCandidate, "target" | "reading">): DecisionRule {
  if (target.kind === "passage") return "knowledge";
  return reading === "in-context" ? "follow-up" : "best-intent";
}

/** Intents are answered first, in the owner's wording; passages follow, one paragraph each. */
export function answerWith(
  { targets, isOfParts }: Extract<Choice, { kind: "answer" }>,
  { candidates }: WeighedCandidates,
): Permission {
  const passages = targets.flatMap((target) => (target.kind === "passage" ? [target.passage] : []));
  const intents = targets.flatMap((target) => (target.kind === "intent" ? [target.intent] : []));
  const rule = isOfParts ? "two-questions" : ruleOf(candidates[0]!);
  const shown = passages.length > 0 && { passages };
  const [first, ...others] = intents;
  if (first === undefined) return { kind: "allowed", intent: KNOWLEDGE_INTENT, rule, ...shown };
  const also = passages.length > 0 ? [...others, KNOWLEDGE_INTENT] : others;
  return { kind: "allowed", intent: first, rule, ...(also.length > 0 && { alsoIntents: also }), ...shown };
}
