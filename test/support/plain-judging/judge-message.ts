import type { Classifier } from "../../../src/domain/decision.ts";
import { undisguisedReadings } from "../../../src/governance/disguise/undisguise.ts";
import { judgeMessage } from "../../../src/governance/judge-message.ts";
import type { JudgedMessage } from "../../../src/governance/judged-message.ts";
import type { GovernancePolicy } from "../../../src/governance/policy.ts";
import { findDeniedClause } from "./clauses.ts";

/** Judges a message without any shortcut. */
export function judgePlainly(input: string, classifier: Classifier, policy: GovernancePolicy): JudgedMessage {
  return judgeMessage(input, classifier, policy, {
    leastChanceOfClause: () => 0,
    findDeniedClause,
    undisguisedReadings: (text) => undisguisedReadings(text, (word) => classifier.knows(word)),
  });
}
