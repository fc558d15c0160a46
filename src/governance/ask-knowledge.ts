import type { Decision, DecisionRule } from "../domain/decision.ts";
import type { JudgedMessage } from "./judged-message.ts";

/** Rules by which a message is decided without its bot's documents: what is denied, chosen, a courtesy or a yes never reaches them. */
const WITHOUT_DOCUMENTS: ReadonlySet<DecisionRule> = new Set([
  "deny-term",
  "deny-pattern",
  "choice",
  "no-choice",
]);

/** Whether documents are asked about a message, by how it is decided without them. */
export function isAskedOfDocuments(
  { rule }: Decision,
  { request, isExample, isAgreement }: Pick<JudgedMessage, "request" | "isExample" | "isAgreement">,
): boolean {
  return request !== undefined && !isExample && !isAgreement && !WITHOUT_DOCUMENTS.has(rule);
}
