import type { DecisionReceipt, DecisionRule } from "../../domain/decision.ts";
import type { ReceiptView } from "../../domain/operator/conversations.ts";
import { RULES_IN_WORDS } from "../decided-by.ts";

type Step = ReceiptView["steps"][number];

/** What is looked at in order, and the rules by which each may decide; see `governance/decide.ts`. */
const STEPS: readonly (readonly [step: string, rules: readonly DecisionRule[]])[] = [
  ["Denied terms and data", ["deny-term", "deny-pattern"]],
  ["A choice among what was offered", ["choice", "no-choice"]],
  ["Denied intents, wherever they show", ["denied-in-message", "denied-in-clause", "denied-in-disguise"]],
  ["What the bot asked for", ["action"]],
  ["A greeting, thanks, the wish for a person or the like", ["social"]],
  ["Data that nothing looks up", ["data"]],
  ["Two questions at once", ["two-questions"]],
  ["A word that intents share", ["shared-word"]],
  ["A matching intent", ["best-intent", "clearest-clause"]],
  ["Whether it may ask for something denied, too", ["unclear"]],
  ["What was said before", ["follow-up"]],
  ["Documents that answer", ["knowledge"]],
  ["Asking back", []],
  ["Documents that may help", ["knowledge-may-help"]],
  ["The default intent", ["default-intent"]],
  ["Nothing matched", ["no-match"]],
];
const ASKING_BACK = STEPS.findIndex(([step]) => step === "Asking back");

/** The steps up to the one that decided, which passed, and those behind it, which were not reached. */
export function stepsOf({ rule, suggestions }: Pick<DecisionReceipt, "rule" | "suggestions">): Step[] {
  const isAskedBack = rule === "no-match" && suggestions !== undefined;
  const deciding = isAskedBack ? ASKING_BACK : STEPS.findIndex(([, rules]) => rules.includes(rule));
  return STEPS.map(([step], index) => {
    if (index === deciding) return { step, result: "decided", detail: RULES_IN_WORDS[rule] };
    return { step, result: index < deciding ? "passed" : "not-reached" };
  });
}
