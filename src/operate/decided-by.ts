import {
  type CandidateReceipt,
  type Decision,
  type DecisionReceipt,
  type DecisionRule,
  type DeniedBy,
  deniedByInWords,
} from "../domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../domain/ids.ts";

/** The deciding rules in words. */
export const RULES_IN_WORDS: Readonly<Record<DecisionRule, string>> = {
  "best-intent": "the intent that the whole message is closest to",
  "clearest-clause": "its clearest part; the whole message matches nothing",
  "deny-term": "it holds a term that the profile denies",
  "deny-pattern": "it holds data of a kind that the profile denies",
  "denied-in-message": "a denied intent is likely enough",
  "denied-in-clause": "a part of it asks for something denied",
  "denied-in-disguise": "it asks for something denied in disguise",
  unclear: "an allowed intent matches, but it may ask for something denied, too",
  action: "it goes on with what the bot asked for",
  "follow-up": "it takes up what was said before",
  knowledge: "a passage fits best",
  "knowledge-may-help": "nothing matches, and documents may help",
  "said-before": "what answers it was said just before",
  "default-intent": "nothing matches, and the default intent answers",
  "no-match": "nothing matches",
  "handed-over": "a person had taken over",
  "two-questions": "two parts of it match an intent each",
  "shared-word": "one word that several intents share",
  social: "a greeting, thanks, the wish for a person or the like",
  data: "an order number or other data, and nothing that it is given for",
  choice: "the visitor chose among what was offered",
  "no-choice": "the visitor wanted nothing of what was offered",
};

/** The result for a message that an operator got. */
export const PASSED_ON =
  "A person was there: the message was passed on to them, nothing judged it, and the bot did not answer";

/**
 * The decision in words.
 *
 * @param chance probability (0–1) that the deciding intent is right; undefined if something else decided.
 */
export function inShort(decision: Decision, chance: string | undefined): string {
  if (decision.kind === "allowed") {
    const likely = chance === undefined ? "" : `, right with a chance of ${chance}`;
    const by = decision.intent === KNOWLEDGE_INTENT ? "from the documents" : `with ${decision.intent}`;
    return `answered ${by}${likely}`;
  }
  if (decision.deniedBy) return `refused: it holds ${whatIsDenied(decision.deniedBy)}`;
  if (decision.reason === "DENY_LIST") return `refused: ${decision.intent} is denied`;
  if (decision.reason === "NOT_IN_ALLOW_LIST") return `refused: ${decision.intent} is not in the allow list`;
  const { suggestions } = decision;
  return suggestions.length > 0
    ? `asked back: ${suggestions.map(({ label }) => label).join(", ")}`
    : "not understood";
}

function whatIsDenied(deniedBy: DeniedBy): string {
  const list = "term" in deniedBy ? "denyTerms" : "denyPatterns";
  return `what \`${list}\` denies: ${deniedByInWords(deniedBy)}`;
}

/** Minimum probability at which a candidate that was not answered gets an explanation. Chosen by hand. */
const SURE = 0.5;

/** The reason why the likeliest candidate was not answered, by deciding rule; default: its probability was too low. */
const WHY: Partial<Record<DecisionRule, string>> = {
  "deny-term": "the message holds a term that the profile denies",
  "deny-pattern": "the message holds data of a kind that the profile denies",
  unclear: "the message may ask for something denied, too",
  "said-before": "it had been said just before",
  social: "the message was taken as a courtesy, or as the wish for a person",
  "shared-word": "several intents share the message's one word",
  "two-questions": "two parts of the message were answered, each by itself",
};

/**
 * Explains in a sentence why the likeliest candidate was not answered; undefined if it was, or if no candidate was likely enough.
 * @param answered the intents answered, with `knowledge` if documents answered.
 * @param titles of passages, by id.
 */
export function whyNotSaid(
  { rule, candidates }: Pick<DecisionReceipt, "rule" | "candidates">,
  answered: readonly string[],
  titles: Readonly<Record<number, string>>,
): string | undefined {
  const best = candidates?.[0];
  if (best === undefined || best.chance < SURE || answered.includes(best.intent ?? KNOWLEDGE_INTENT))
    return undefined;
  const why = WHY[rule] ?? "an answer has to be surer than that: a wrong one costs more than none";
  return `${nameOf(best, titles)} was ${Math.round(100 * best.chance)} % sure and was not said: ${why}`;
}

/** The name of a candidate for display. */
export function nameOf(
  { intent, passage }: CandidateReceipt,
  titles: Readonly<Record<number, string>>,
): string {
  return intent ?? titles[passage!.id] ?? `passage ${passage!.id}`;
}
