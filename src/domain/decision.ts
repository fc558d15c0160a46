import { type Static, Type } from "@sinclair/typebox";

import { ActionReceipt } from "./action.ts";
import { ChatSource, NextStep, RESTRICTION_REASONS, Suggestion } from "./chat.ts";
import { ModelCall, TokenUsage } from "./completion.ts";
import { IntentName } from "./ids.ts";
import { PersonalDataKind } from "./personal-data.ts";
import { listOf, oneOf } from "./schemas.ts";
import { SubjectReference } from "./subject.ts";

/** One intent's standing for one text. */
export const IntentScore = Type.Object({
  intent: IntentName,
  /** Calibrated chance, 0–1, that this intent is the right one. */
  confidence: Type.Number(),
});
export type IntentScore = Static<typeof IntentScore>;

/** A classifier's result for one text; pure data. */
export interface Classification {
  /** Best first, at most five, each above zero; empty when the bot has no intents, or the text alone points to none of them. */
  scores: readonly IntentScore[];
  /** Calibrated confidence of every intent, by its index in the classifier's `intents`; their sum is at most `inScope`. */
  confidences: Float32Array;
  /** Calibrated chance, 0–1, that the text is in scope: that one of the bot's intents is the right one. */
  inScope: number;
  /** Calibrated chance, 0–1, that the best intent is the right one; the confidence of `scores[0]`. */
  confidence: number;
}

/**
 * Share of the match threshold that the best intent needs to be answered; below it, the bot asks back. On small English bots it saves a
 * quarter of the wrong answers, for one right one in 200.
 */
export const MIN_SHARE_OF_BEST = 2 / 3;

/** An intent with less of a chance is not named to an operator as close: right less than one time in ten, it would be a guess. */
export const CLOSE_FROM = 0.1;

/** Whether a text matches its best intent: it is in scope, and that intent is not likely the wrong one. */
export function isMatch({ scores, inScope, confidence }: Classification, threshold: number): boolean {
  return scores.length > 0 && inScope >= threshold && confidence >= MIN_SHARE_OF_BEST * threshold;
}

/** Maps text to intents. Deterministic, synchronous, free of I/O. */
export interface Classifier {
  /** The intents, in the order of `confidences`. */
  readonly intents: readonly IntentName[];
  /** Threshold of `inScope` for bots that set none: below it, a text is best taken to match nothing. */
  readonly matchThreshold: number;
  classify(text: string): Classification;
  /** Whether a word, in any spelling that is the same to the classifier, occurs in the examples it learnt from. */
  knows(word: string): boolean;
  /** Whether a word is one of the examples' language, as far as that is known beforehand: no misspelling of another word. */
  isRealWord(word: string): boolean;
  /** The same of a normalised word that is one token, given as `hashWord` of `text/word-hash.ts` makes it. */
  knowsHash(hash: number): boolean;
  /** Whether a text, in any spelling, is one of those examples, word for word. */
  isExample(text: string): boolean;
  /** For a text of one word: the intents whose examples have it, the one for which it is most typical first; empty for other texts. */
  intentsSharing(text: string): readonly IntentName[];
  /** Splits text into words and signs, so that its parts can be scored. The scan is valid until the next text is scanned. */
  scan(text: string): TextScan;
}

/** A text as a row of words and signs. Any stretch of the row can be scored at little cost. */
export interface TextScan {
  /** How many words and signs there are. */
  readonly length: number;
  /** The word or sign at a place, normalised. */
  unit(index: number): string;
  /** Whether that is a sign, such as a comma or an emoji. */
  isSign(index: number): boolean;
  /** Whether that does nothing but join two requests, as "and" does; see `JOINTS` in `text/function-words.ts`. */
  isJoint(index: number): boolean;
  /** Whether a line ends before that place. */
  startsLine(index: number): boolean;
  /**
   * Scores the units from `from` up to `to` as if they were the whole text: sets `scores[k]` for every intent `k`. On average, an
   * example scores 1 for its own intent. Below 0, nothing speaks for the intent.
   * @param intents if given, only these are scored; the other scores may keep their old values.
   */
  score(from: number, to: number, scores: Float32Array, intents?: readonly number[]): void;
}

/** Why a turn is restricted, before any answer exists. */
export const RestrictionReason = oneOf(RESTRICTION_REASONS);
export type RestrictionReason = Static<typeof RestrictionReason>;

/** The rule that settled a turn. */
export const DecisionRule = oneOf([
  /** The message's own best intent decided, by its place in the profile. */
  "best-intent",
  /** The whole matched nothing; the clearest part decided, by its intent's place in the profile. */
  "clearest-clause",
  /** A denied intent was plausible in the whole message. */
  "denied-in-message",
  /** A part of the message asked for a denied intent. */
  "denied-in-clause",
  /** A denied intent showed once a disguise was taken off. */
  "denied-in-disguise",
  /** The message contains a term of `denyTerms`, whatever its intent. */
  "deny-term",
  /** The message contains data of a kind of `denyPatterns`. */
  "deny-pattern",
  /** An allowed intent matched, but the message may have asked for a denied one as well, or instead. */
  "unclear",
  /** Two parts of the message each matched an allowed intent of their own; both are answered. */
  "two-questions",
  /** One word that several allowed intents share: the visitor is asked which is meant. */
  "shared-word",
  /** A greeting, thanks, or the like; see `SocialIntent`. */
  "social",
  /** An order number, an e-mail address or the like, and nothing that it is given for. */
  "data",
  /** The visitor chose among the intents that the previous turn asked about. */
  "choice",
  /** The visitor wanted none of them. */
  "no-choice",
  /** Nothing matched; the message took up the conversation's last intent. */
  "follow-up",
  /** The message continued an action: it gave a value, confirmed it or ended it. */
  "action",
  /** Nothing matched; a passage of the bot's documents surely answers. */
  "knowledge",
  /** Of an earlier version: nothing matched, and links to documents that may help were shown. */
  "knowledge-may-help",
  /** The best answer was given just before, and there is no other. */
  "said-before",
  /** Nothing matched; the bot's default intent counts. */
  "default-intent",
  /** Nothing matched. */
  "no-match",
  /** A person has taken over: the message went to them, and was not judged. */
  "handed-over",
]);
export type DecisionRule = Static<typeof DecisionRule>;

/** The rule of the profile that denied a message: a term as the operator wrote it, or a kind of data. No text of the message. */
export const DeniedBy = Type.Union([
  Type.Object({ term: Type.String() }),
  Type.Object({ pattern: PersonalDataKind }),
]);
export type DeniedBy = Static<typeof DeniedBy>;

/** The rule in words, for operators: `term "xanax"`. */
export function deniedByInWords(deniedBy: DeniedBy): string {
  return "term" in deniedBy ? `term "${deniedBy.term}"` : `pattern ${deniedBy.pattern}`;
}

export const Restriction = Type.Object({
  kind: Type.Literal("restricted"),
  reason: RestrictionReason,
  /** Absent exactly when the reason is `no_intent_match`, or a term or pattern denied the message. */
  intent: Type.Optional(IntentName),
  rule: DecisionRule,
  /** Set if the rule is `deny-term` or `deny-pattern`. */
  deniedBy: Type.Optional(DeniedBy),
  /** Closest allowed intents, for "Did you mean: …?"; best first, at most three. */
  suggestions: listOf(Suggestion),
});
export type Restriction = Static<typeof Restriction>;

/** A part of a message that matched nothing, while another part did; as its visitor wrote it. */
export type UnansweredPart = string;

export interface Permission {
  kind: "allowed";
  intent: IntentName;
  rule: DecisionRule;
  /** Further intents of the message, answered after the first. */
  alsoIntents?: readonly IntentName[];
  /** Ids of the passages that are answered with, in the order in which they are shown. */
  passages?: readonly number[];
  /** The part of the message that the answer names as unanswered. */
  unanswered?: UnansweredPart;
  /** At most six suggestions, if the message asks what the bot can do. */
  suggestions?: readonly Suggestion[];
  /** In observe mode: the restriction that enforcement would have applied. */
  wouldRestrict?: Restriction;
}

/** The governance decision on one message. */
export type Decision = Permission | Restriction;

/** Scores of one reading of a message, without its words. */
export const ReadingScores = Type.Object({
  /**
   * `undisguised`: with look-alike letters, spacing tricks and encodings undone. `in-context`: together with the visitor's message
   * before it and the subject of its answer. `standalone`: as rewritten by a model.
   */
  reading: oneOf(["plain", "undisguised", "in-context", "standalone"]),
  /** Of the reading in context: probability, 0–1, that the message depends on earlier ones. */
  leans: Type.Optional(Type.Number()),
  /** Of the reading in context: the subject of the turn before; absent without one. */
  about: Type.Optional(SubjectReference),
  /** The best few. */
  scores: listOf(IntentScore),
  /** Chance, 0–1, that the reading asks for any of the bot's intents. */
  inScope: Type.Number(),
  /** Chance, 0–1, that the reading as a whole asks for something denied. */
  denied: Type.Number(),
  /**
   * The part of the reading that most likely asks for something denied: the numbers of its words and signs, and that chance, 0–1. A
   * message of more than 1,800 characters is read in pieces, and the numbers count within one of them. Absent if the chance is so small
   * that no decision depends on it: below 0.15 of the deny threshold, and below 0.1.
   */
  clause: Type.Optional(
    Type.Object({ from: Type.Number(), to: Type.Number(), intent: IntentName, denied: Type.Number() }),
  ),
});
export type ReadingScores = Static<typeof ReadingScores>;

/** Chances, 0–1. */
export const DecisionThresholds = Type.Object({
  /** Minimum of being in scope at which a text matches its best intent. */
  match: Type.Number(),
  /** Minimum of asking for something denied at which a turn is denied. */
  deny: Type.Number(),
});
export type DecisionThresholds = Static<typeof DecisionThresholds>;

/** Evidence of the decision, for the receipt. */
export const DecisionEvidence = Type.Object({
  thresholds: DecisionThresholds,
  readings: listOf(ReadingScores),
});
export type DecisionEvidence = Static<typeof DecisionEvidence>;

/**
 * Whether a text was encoded (`used`), or why not: the encoder failed (`unavailable`), its queue was full (`overloaded`), the texts to
 * compare with are not encoded yet, as after an upgrade (`not_ready`), or the server runs without an encoder (`off`).
 */
const Encoding = oneOf(["used", "unavailable", "overloaded", "not_ready", "off"]);
export type Encoding = Static<typeof Encoding>;

/** Results of model servers about a message's intent, or their failure; without its text. */
export const IntentAssistance = Type.Object({
  embeddings: Type.Optional(oneOf(["used", "unavailable"])),
  /** The judge's choice. `left_open`: it only rewrote the message as a question. */
  judge: Type.Optional(oneOf(["chose", "chose_none", "left_open", "unavailable"])),
  /** The intent or passage it chose. */
  chosen: Type.Optional(SubjectReference),
  /** The passages that do not answer, if it chose none. */
  passedOver: Type.Optional(listOf(Type.Integer())),
  /** Whether the question was encoded, too. */
  understanding: Type.Optional(Encoding),
  /** The classification that came of it, so that the turn can be decided again offline; absent if nothing changed. */
  weighed: Type.Optional(Type.Object({ confidences: listOf(Type.Number()), inScope: Type.Number() })),
});
export type IntentAssistance = Static<typeof IntentAssistance>;

/** Why a model's wording of documents was not used: their own sentences answered. */
export const WORDING_FAULTS = {
  failed: "no model answered",
  truncated: "the token limit ended it",
  "no-citation": "it cites no passage",
  "unknown-citation": "it cites a passage that it was not given",
  "own-number": "it holds a number that the passages it cites do not",
  unsupported: "most of its words are not in the passages it cites",
  denied: "it says what the profile denies",
} as const;
export type WordingFault = keyof typeof WORDING_FAULTS;

/** Calls to model servers in a turn, for embeddings and the judge too; without text. */
export const ModelReceipt = Type.Object({
  /** In order; several if a server failed or an answer had to be repaired. */
  calls: listOf(ModelCall),
  usage: TokenUsage,
  /** The server did not count: a token for every four characters. */
  isUsageEstimated: Type.Optional(Type.Literal(true)),
  /** The first answer failed its schema; the model was asked once more. */
  wasRepaired: Type.Optional(Type.Literal(true)),
  /** The token limit ended the answer. */
  wasTruncated: Type.Optional(Type.Literal(true)),
  /** Its wording of documents was not used. */
  rejected: Type.Optional(oneOf(Object.keys(WORDING_FAULTS) as WordingFault[])),
});
export type ModelReceipt = Static<typeof ModelReceipt>;

/** Result of searching a bot's documents, without text of documents or of the message. */
export const KnowledgeReceipt = Type.Object({
  /** The chance that the first passage answers, 0–1. */
  confidence: Type.Number(),
  /** Of an earlier version: from which chance on a passage was shown as the answer, and as something that may help. */
  thresholds: Type.Optional(Type.Object({ answer: Type.Number(), mayHelp: Type.Number() })),
  /** The best few, best first. */
  passages: listOf(Type.Object({ id: Type.Integer(), document: Type.String(), score: Type.Number() })),
  /** Documents that were shown. Absent if there are none. */
  shown: Type.Optional(listOf(Type.String())),
  /** The subject of the previous turn was looked up, too. */
  isFollowUp: Type.Optional(Type.Literal(true)),
  /** Whether the message was encoded for the search; absent if words alone sufficed. */
  meaning: Type.Optional(Encoding),
  /** Sources that the answer links to. */
  sources: Type.Optional(listOf(ChatSource)),
});
export type KnowledgeReceipt = Static<typeof KnowledgeReceipt>;

/** A candidate for the answer: an intent, or a passage of a document; with its evidence, without text. */
export const CandidateReceipt = Type.Object({
  intent: Type.Optional(IntentName),
  passage: Type.Optional(Type.Object({ id: Type.Integer(), document: Type.String() })),
  /** Probability, 0–1, that it is asked for, among all candidates and none. */
  chance: Type.Number(),
  /** The reading with the highest score: the message alone, together with earlier ones, or the question rewritten by a model. */
  reading: oneOf(["plain", "in-context", "standalone"]),
  /** In log odds: meaning, words, classifier, and relation to earlier messages. */
  speaking: Type.Object({
    meaning: Type.Number(),
    words: Type.Number(),
    classifier: Type.Number(),
    context: Type.Number(),
  }),
});
export type CandidateReceipt = Static<typeof CandidateReceipt>;

/** Everything needed to understand a turn afterwards; holds no message text. */
export const DecisionReceipt = Type.Object({
  ...DecisionEvidence.properties,
  botVersion: Type.Integer(),
  rule: DecisionRule,
  /** Set if the rule is `deny-term` or `deny-pattern`. */
  deniedBy: Type.Optional(DeniedBy),
  /** Suggested next questions. */
  next: Type.Optional(listOf(NextStep)),
  /** The visitor was offered a person. */
  offersPerson: Type.Optional(Type.Literal(true)),
  /** The intents that were offered: "Did you mean: …?" Absent if none was. */
  suggestions: Type.Optional(listOf(Suggestion)),
  /** The intents of further questions that were answered as well. */
  alsoIntents: Type.Optional(listOf(IntentName)),
  /** In observe mode: the restriction that enforcement would have applied. */
  wouldRestrict: Type.Optional(Restriction),
  /** Whether the message was judged by its meaning, too. Absent if the classifier was sure, or the bot has nothing to encode. */
  understanding: Type.Optional(Encoding),
  /** The version of the encoder that had a part in this: in `understanding`, or in `knowledge.meaning`. Absent if none had. */
  encoder: Type.Optional(Type.String()),
  /** Absent if the bot's documents were not asked. */
  knowledge: Type.Optional(KnowledgeReceipt),
  /** The likeliest of its intents and passages, best first, if they competed. */
  candidates: Type.Optional(listOf(CandidateReceipt)),
  /** An action's part of the turn; absent if there is none. */
  action: Type.Optional(ActionReceipt),
  /** Absent if no model server was asked about the intent. */
  assistance: Type.Optional(IntentAssistance),
  /** Absent if no model server was called. */
  model: Type.Optional(ModelReceipt),
  /** Milliseconds spent per stage. */
  stagesMs: Type.Record(Type.String(), Type.Number()),
});
export type DecisionReceipt = Static<typeof DecisionReceipt>;

/** The meaning of one reading of a message. */
export interface ReadingMeaning {
  /** Of length 1. */
  vector: Float32Array;
  /** How near it is to the texts of each intent, in the classifier's order; absent if those were not encoded. */
  nearness?: readonly number[];
}
