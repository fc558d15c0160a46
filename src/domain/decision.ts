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
  classify(text: string): Classification;
  /** Whether a word, in any spelling that is the same to the classifier, occurs in the examples it learnt from. */
  knows(word: string): boolean;
}

/** Why a turn is restricted, before any answer exists. */
export type RestrictionReason = Exclude<EnforcementReason, "schema_fallback">;

/** The rule that settled a turn. */
export type DecisionRule =
  /** The message's own best intent decided, by its place in the profile. */
  | "best-intent"
  /** A denied intent was plausible enough in the whole message. */
  | "denied-in-message"
  /** A denied intent stood in a part of the message. */
  | "denied-in-clause"
  /** A denied intent showed once a disguise was taken off. */
  | "denied-in-disguise"
  /** Nothing matched; the message took up the conversation's last intent. */
  | "follow-up"
  /** Nothing matched; the bot's default intent counts. */
  | "default-intent"
  /** Nothing matched. */
  | "no-match";

export interface Restriction {
  kind: "restricted";
  reason: RestrictionReason;
  /** Absent exactly when the reason is `no_intent_match`. */
  intent?: IntentName;
  rule: DecisionRule;
  /** Closest allowed intents, for "Did you mean: …?"; best first, at most three. */
  suggestions: readonly IntentName[];
}

export interface Permission {
  kind: "allowed";
  intent: IntentName;
  rule: DecisionRule;
  /** In observe mode: what enforcement would have answered. */
  wouldRestrict?: Restriction;
}

/** The governance decision on one message (decisions §7). */
export type Decision = Permission | Restriction;

/** What one judged part of a message scored; says where the part stood, never what it said. */
export interface PartScores {
  part: "message" | "clause";
  /** `undisguised`: with look-alike letters, spacing tricks and encodings undone. */
  reading: "plain" | "undisguised";
  /** Words of the reading before the part, and words up to its end. */
  words: readonly [from: number, to: number];
  /** The best few. */
  scores: readonly IntentScore[];
}

/** Everything needed to understand a turn afterwards; holds no message text (decisions §9). */
export interface DecisionReceipt {
  botVersion: number;
  thresholds: DecisionThresholds;
  rule: DecisionRule;
  /** The whole message, then the part that decided if it was another. */
  parts: readonly PartScores[];
  /** In observe mode: what enforcement would have answered. */
  wouldRestrict?: Restriction;
  /** Milliseconds spent per stage. */
  stagesMs: Record<string, number>;
}

/** Confidences, 0–1, from which on a text counts as matched, and a denied intent as plausible. */
export interface DecisionThresholds {
  match: number;
  /** For the message as a whole. */
  deny: number;
  /** For a part of a message, which says less by itself. */
  denyClause: number;
}
