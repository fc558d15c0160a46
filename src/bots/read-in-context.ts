import type { ReadingMeaning } from "../domain/decision.ts";
import { bringsWord } from "../governance/follow-up/brevity.ts";
import type { SaidBefore } from "../governance/follow-up/follow-up.ts";
import { chanceOfLeaning, signsOfLeaning } from "../governance/follow-up/leaning.ts";
import { withReadingInContext } from "../governance/judge-message.ts";
import type { GovernancePolicy } from "../governance/policy.ts";
import {
  classifySentence,
  type EncoderInput,
  type IntentClassifier,
  isUnsure,
  nearnessByIntent,
  type SentenceModel,
} from "../intent/classifier.ts";
import { cosineOf } from "../text/nearness.ts";
import type { WeighedMessage } from "./judging-thread.ts";

/** The parts of a bot that reading a message in context uses. */
export interface BotForReading {
  readonly classifier: IntentClassifier;
  /** Compiled for the classifier. */
  readonly policy: GovernancePolicy;
  /** Undefined if the bot's examples are not encoded: only its classifier is used. */
  readonly sentences: SentenceModel | undefined;
  /** Whether it has documents, with which every request is compared. */
  readonly hasDocuments?: boolean;
}

/** Minimum probability of depending on earlier messages at which a message is read together with them. */
const MAY_LEAN = 0.2;

/** The texts to encode for a message that may depend on earlier ones. */
export interface ContextInputs {
  before: SaidBefore;
  alone: EncoderInput;
  inContext: EncoderInput;
  /** Absent if nothing was answered before. */
  subject?: EncoderInput;
}

/** The vectors of {@link ContextInputs}; undefined for texts that were not encoded. */
export type ContextVectors = Partial<Record<"alone" | "inContext" | "subject", Float32Array | undefined>>;

/**
 * The texts to encode to read a judged message together with earlier ones. Undefined if it needs no context: there is no earlier message,
 * it is an example, an agreement or a courtesy, or its intent is clear and it has no follow-up words (“and …”, “what about …”).
 */
export function contextToEncode(
  { text: written, request, plain, social, isExample, isAgreement }: WeighedMessage,
  before: SaidBefore | undefined,
): ContextInputs | undefined {
  if (before === undefined || isExample || isAgreement) return undefined;
  const text = request ?? (social === undefined ? written : "");
  const { goesOn, pointsBack } = signsOfLeaning(text);
  if (text.trim() === "" || (!isUnsure(plain.classification) && goesOn + pointsBack === 0)) return undefined;
  const name = before.subject?.name;
  return {
    before,
    alone: { form: "message", text },
    inContext: { form: "followUp", text, before: before.text, ...(name !== undefined && { subject: name }) },
    ...(name !== undefined && { subject: { form: "passage", text: name } }),
  };
}

/** A judged message with its reading in context, if it may depend on earlier messages. */
export function readInContext(
  { classifier, policy, sentences }: BotForReading,
  judged: WeighedMessage,
  { before, alone: { text } }: ContextInputs,
  { alone, inContext, subject }: ContextVectors,
): WeighedMessage {
  if (alone === undefined || inContext === undefined) return judged;
  const leans = chanceOfLeaning({
    unchanged: cosineOf(alone, inContext),
    nearSubject: subject === undefined ? 0 : cosineOf(inContext, subject),
    unanswered: Number(subject === undefined),
    ...signsOfLeaning(text),
  });
  if (leans < MAY_LEAN) return judged;
  const classification =
    sentences === undefined
      ? { scores: [], confidences: new Float32Array(classifier.intents.length), inScope: 0, confidence: 0 }
      : classifySentence(classifier, classifier.judge(text), inContext, sentences);
  const { intent, passage } = before.subject ?? {};
  const about = before.subject && { ...(intent !== undefined && { intent }), ...(passage && { passage }) };
  const reading = {
    classification,
    leans,
    ...(about && { about }),
    bringsWord: bringsWord(text, classifier),
    meaning: meaningOf(inContext, sentences),
  };
  return withReadingInContext(judged, reading, policy);
}

/** The meaning of one reading. @param sentences the model of the bot's examples, if they are encoded. */
export function meaningOf(vector: Float32Array, sentences: SentenceModel | undefined): ReadingMeaning {
  return { vector, ...(sentences && { nearness: nearnessByIntent(sentences, vector) }) };
}
