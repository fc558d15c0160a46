import type { ChatMetadata } from "./chat.ts";
import type { DecisionRule } from "./decision.ts";

/** The mark of an answer that only lists documents that may help. Under a schema it has a form of its own, and no such mark. */
export function mayHelpMark(rule: DecisionRule, schemaEnforced: boolean): Pick<ChatMetadata, "mayHelp"> {
  return rule === "knowledge-may-help" && !schemaEnforced ? { mayHelp: true } : {};
}
