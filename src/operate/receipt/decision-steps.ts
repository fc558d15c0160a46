import type { DecisionReceipt, DecisionRule } from "../../domain/decision.ts";
import type { ReceiptView } from "../../domain/operator/conversations.ts";
import { RULES_IN_WORDS } from "../decided-by.ts";

type Step = ReceiptView["steps"][number];

/** A rule that only earlier versions used. */
const FORMER_RULE = "knowledge-may-help" satisfies DecisionRule;

const ASKING_BACK = "Asking back";

type Steps = readonly (readonly [step: string, rules: readonly DecisionRule[]])[];

/** The checks in order, with the rules by which each can decide; see `governance/decide.ts`. */
const FIRST: Steps = [
  ["Denied terms and data", ["deny-term", "deny-pattern"]],
  ["Choosing one of the offered buttons", ["choice", "no-choice"]],
  [
    "Denied intents, anywhere in the message",
    ["denied-in-message", "denied-in-clause", "denied-in-disguise"],
  ],
  ["An answer to the bot's question", ["action"]],
  ["Greeting, thanks, asking for a person", ["social"]],
  ["Personal data no action needs", ["data"]],
];
const STEPS: Steps = [
  ...FIRST,
  ["Two questions at once", ["two-questions"]],
  ["A word that intents share", ["shared-word"]],
  ["A matching intent", ["best-intent", "clearest-clause"]],
  ["Possibly denied as well", ["unclear"]],
  ["What was said before", ["follow-up"]],
  ["Documents that answer", ["knowledge"]],
  ["What was said just before", ["said-before"]],
  [ASKING_BACK, []],
  ["Documents that may help", [FORMER_RULE]],
  ["The default intent", ["default-intent"]],
  ["Nothing matched", ["no-match"]],
];
/** The same with competing intents and documents. */
const COMPETING: Steps = [
  ...FIRST,
  ["The likeliest of intents and documents", ["best-intent", "knowledge", "follow-up", "two-questions"]],
  ["Possibly denied as well", ["unclear"]],
  ["What was said just before", ["said-before"]],
  [ASKING_BACK, []],
  ["The default intent", ["default-intent"]],
  ["Nothing was likely enough", ["no-match"]],
];

/** The steps that passed, the one that decided, and those that were not reached. */
export function stepsOf({
  rule,
  suggestions,
  candidates,
}: Pick<DecisionReceipt, "rule" | "suggestions" | "candidates">): Step[] {
  const all = candidates === undefined ? STEPS : COMPETING;
  const isAskedBack = rule === "no-match" && suggestions !== undefined;
  const steps = all.filter(([, rules]) => rule === FORMER_RULE || !rules.includes(FORMER_RULE));
  const deciding = steps.findIndex(([step, rules]) =>
    isAskedBack ? step === ASKING_BACK : rules.includes(rule),
  );
  return steps.map(([step], index) => {
    if (index === deciding) return { step, result: "decided", detail: RULES_IN_WORDS[rule] };
    return { step, result: index < deciding ? "passed" : "not-reached" };
  });
}
