import type { Decision, DecisionRule } from "../domain/decision.ts";
import type { JudgedMessage } from "./judged-message.ts";

/** Rules that decide without documents: denials, choices, small talk and a yes. */
const WITHOUT_DOCUMENTS: ReadonlySet<DecisionRule> = new Set([
  "deny-term",
  "deny-pattern",
  "choice",
  "no-choice",
]);

/** Whether documents are searched for a message, given its decision without them. */
export function isAskedOfDocuments(
  { rule }: Decision,
  { request, isExample, isAgreement }: Pick<JudgedMessage, "request" | "isExample" | "isAgreement">,
): boolean {
  return request !== undefined && !isExample && !isAgreement && !WITHOUT_DOCUMENTS.has(rule);
}
