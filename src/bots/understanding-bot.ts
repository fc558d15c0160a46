import type { GovernancePolicy } from "../governance/policy.ts";
import type { IntentClassifier, SentenceModel } from "../intent/classifier.ts";

/** The parts of a bot that encoding uses. */
export interface UnderstandingBot {
  readonly classifier: IntentClassifier;
  /** Compiled for the classifier. */
  readonly policy: GovernancePolicy;
  /** Undefined if the bot's examples are not encoded: only its classifier is used. */
  readonly sentences: SentenceModel | undefined;
  /** Whether it has documents, with which every request is compared. */
  readonly hasDocuments?: boolean;
}
