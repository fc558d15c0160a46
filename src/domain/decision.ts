import type { EnforcementReason } from "./chat.ts";
import type { IntentName } from "./ids.ts";

/** One intent's standing for one text. */
export interface IntentScore {
  intent: IntentName;
  /** Calibrated chance, 0–1, that this intent is the right one. */
  confidence: number;
}

/** What a classifier says about one text; pure data. */
export interface Classification {
  /** Best first, at most five, each above zero; empty when the bot has no intents. */
  scores: readonly IntentScore[];
  /** Calibrated confidence of every intent, by its index in the classifier's `intents`; their sum is at most `pIn`. */
  confidences: Float32Array;
  /** Calibrated chance, 0–1, that the text is in scope: that one of the bot's intents is the right one. */
  pIn: number;
  /** Calibrated chance, 0–1, that the best intent is the right one; the confidence of `scores[0]`. */
  pOk: number;
}

/** Maps text to intents. Deterministic, synchronous, free of I/O. */
export interface Classifier {
  /** The order in which `confidences` lists the intents. */
  readonly intents: readonly IntentName[];
  /** Where the bot sets no threshold of its own: `pIn` below which a text is best taken to match nothing. */
  readonly matchThreshold: number;
  classify(text: string): Classification;
}

/** Why a turn is restricted, before any answer exists. */
export type RestrictionReason = Exclude<EnforcementReason, "schema_fallback">;

/** The governance decision on one message (decisions §7). */
export type Decision =
  | { kind: "allowed"; intent: IntentName; rule: string }
  | {
      kind: "restricted";
      reason: RestrictionReason;
      /** Absent exactly when the reason is `no_intent_match`. */
      intent?: IntentName;
      /** Names the rule that decided, for the receipt. */
      rule: string;
      /** Closest allowed intents, for "Did you mean: …?". */
      suggestions: readonly IntentName[];
    };

/** Everything needed to understand a turn afterwards; holds no message text (decisions §9). */
export interface DecisionReceipt {
  botVersion: number;
  scores: readonly IntentScore[];
  thresholds: { match: number; deny: number };
  rule: string;
  /** Milliseconds spent per stage. */
  stagesMs: Record<string, number>;
}
