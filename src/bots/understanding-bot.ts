import type { GovernancePolicy } from "../governance/policy.ts";
import type { IntentClassifier, SentenceModel } from "../intent/classifier.ts";

/** What of a bot understanding takes. */
export interface UnderstandingBot {
  readonly classifier: IntentClassifier;
  /** Compiled for the classifier. */
  readonly policy: GovernancePolicy;
  /** Undefined where the bot's examples were not encoded: it understands no more than its classifier does. */
  readonly sentences: SentenceModel | undefined;
  /** Whether it answers from documents: then all that asks for something is held against them. */
  readonly hasDocuments?: boolean;
}
