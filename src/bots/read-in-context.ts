import type { ReadingMeaning } from "../domain/reading-meaning.ts";
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

/** From this chance on a message is read with what was said before it; below, it stands alone. */
const MAY_LEAN = 0.2;

/** What is to be encoded of a message that may lean on what was said before it. */
export interface ContextInputs {
  before: SaidBefore;
  alone: EncoderInput;
  inContext: EncoderInput;
  /** Absent where nothing was answered. */
  subject?: EncoderInput;
}

/** What the encoder makes of them; undefined where there was nothing to encode. */
export type ContextVectors = Partial<Record<"alone" | "inContext" | "subject", Float32Array | undefined>>;

/**
 * What is to be encoded so that a judged message can be read with what was said before it; undefined where it stands alone: where its intent is
 * clear, it is an example or a courtesy, or nothing was said before.
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

/** A judged message with its reading in context, where it may lean on what was said before. */
export function readInContext(
  { classifier, policy, sentences }: UnderstandingBot,
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

/** A reading's meaning. @param sentences what the bot's examples mean, where they were encoded. */
export function meaningOf(vector: Float32Array, sentences: SentenceModel | undefined): ReadingMeaning {
  return { vector, ...(sentences && { nearness: nearnessByIntent(sentences, vector) }) };
}
