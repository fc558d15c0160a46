import { reconsider } from "../governance/judge-message.ts";
import type { JudgedMessage } from "../governance/judged-message.ts";
import type { GovernancePolicy } from "../governance/policy.ts";
import {
  classifySentence,
  type EncodedSentence,
  encodeSentence,
  type IntentClassifier,
  isUnsure,
  readSentence,
  type SentenceModel,
} from "../intent/classifier.ts";

/** What of a bot understanding takes. */
export interface UnderstandingBot {
  readonly classifier: IntentClassifier;
  /** Compiled for the classifier. */
  readonly policy: GovernancePolicy;
  /** Undefined where the bot's examples were not encoded: it understands no more than its classifier does. */
  readonly sentences: SentenceModel | undefined;
}

/**
 * What of a judged message is to be encoded. Undefined where that would gain nothing: its intent is clear, it says nothing by itself, or
 * the bot's examples were not encoded.
 */
export function sentenceToEncode(
  bot: UnderstandingBot,
  { request, plain }: JudgedMessage,
): string | undefined {
  if (request === undefined || !isUnsure(plain.classification) || !bot.sentences) return undefined;
  return readSentence(bot.classifier, request);
}

/** A judged message in the light of what it means. What was suspected in it before is suspected still. */
export function inLightOf(
  { classifier, policy, sentences }: UnderstandingBot,
  judged: JudgedMessage,
  sentence: EncodedSentence | undefined,
): JudgedMessage {
  const { request } = judged;
  if (request === undefined || !sentences || !sentence) return judged;
  return reconsider(judged, classifySentence(classifier, request, sentence, sentences), policy);
}

/** Encodes a judged message on this thread, where that gains something: what a server does, for an operator's command. */
export function understandHere(bot: UnderstandingBot, judged: JudgedMessage): JudgedMessage {
  const read = sentenceToEncode(bot, judged);
  return read === undefined ? judged : inLightOf(bot, judged, encodeSentence(read));
}
