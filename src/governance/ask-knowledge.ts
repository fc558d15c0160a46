import type { Decision, DecisionRule } from "../domain/decision.ts";
import type { JudgedMessage } from "./judged-message.ts";
import type { GovernancePolicy } from "./policy.ts";
import { openPart } from "./two-questions.ts";

const BY_MATCH: ReadonlySet<DecisionRule> = new Set(["best-intent", "clearest-clause"]);

const ASK_OF_WHOLE: ReadonlySet<DecisionRule> = new Set(["no-match", "default-intent", "data"]);

/**
 * What of a message documents are asked about, by how it is decided without them: all of it, the part that an intent's answer leaves open,
 * or nothing. What is denied or asks for an intent, and what is nothing but social, never reach them.
 */
export function askedOfKnowledge(
  decision: Decision,
  { parts, request }: Pick<JudgedMessage, "parts" | "request">,
  { joinable }: Pick<GovernancePolicy, "joinable">,
): "whole" | { rest: string } | undefined {
  if (decision.kind === "allowed" && BY_MATCH.has(decision.rule) && joinable.has(decision.intent)) {
    const open = openPart(parts, decision.intent);
    return open && { rest: open.text };
  }
  if (ASK_OF_WHOLE.has(decision.rule)) return "whole";
  if (decision.rule === "social" && request !== undefined) return "whole";
  return decision.rule === "follow-up" ? "whole" : undefined;
}
