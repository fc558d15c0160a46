import type { Awaitable } from "../domain/waiting.ts";
import type { SaidBefore } from "../governance/follow-up/follow-up.ts";
import { reconsider, suspectPart } from "../governance/judge-message.ts";
import type { GovernancePolicy } from "../governance/policy.ts";
import { classifySentence, type EncoderInput, type EncoderThread, isUnsure } from "../intent/classifier.ts";
import { languageOf } from "../text/language-of.ts";
import type { WeighedMessage } from "./judging-thread.ts";
import {
  type ContextInputs,
  contextToEncode,
  type ContextVectors,
  meaningOf,
  readInContext,
  type BotForReading,
} from "./read-in-context.ts";

/**
 * Whether encoding may change the decision for a judged message: its intent is not clear, or the bot denies an intent and the message is no
 * example of another. On bots that the encoder has not seen, it denies a few of the messages that the classifier is sure of, some of them
 * without any evidence by words (`npm run bench:intent -- --fit`).
 */
export function mayBeUnderstood(
  { request, plain, isExample }: WeighedMessage,
  { policy: { standings }, hasDocuments }: Pick<BotForReading, "policy" | "hasDocuments">,
): boolean {
  if (request === undefined) return false;
  if (hasDocuments && !isExample) return true;
  return isUnsure(plain.classification) || (standings.denied.length > 0 && !isExample);
}

/**
 * The texts to encode for a judged message: the message and, if it has two parts, these. None if its intent is clear, if it says nothing
 * by itself, or if the bot's examples are not encoded.
 */
export function sentencesToEncode(
  bot: Pick<BotForReading, "sentences" | "policy" | "hasDocuments">,
  judged: WeighedMessage,
): readonly EncoderInput[] {
  const { request, parts } = judged;
  if (request === undefined || !mayBeUnderstood(judged, bot)) return [];
  if (!bot.sentences) return bot.hasDocuments ? [{ form: "message", text: request }] : [];
  const texts = [request, ...(parts?.parts ?? []).map(({ text }) => text)];
  return texts.map((text) => ({ form: "message", text }));
}

/**
 * A judged message, judged again with its vectors. Suspicion by words is kept.
 * @param vectors of the texts from `sentencesToEncode`; undefined if there were none.
 */
export function inLightOf(
  { classifier, policy, sentences: model }: BotForReading,
  judged: WeighedMessage,
  [whole, ...ofParts]: readonly (Float32Array | undefined)[],
): WeighedMessage {
  const { request, parts } = judged;
  if (request === undefined || !whole) return judged;
  const meaning = meaningOf(whole, model);
  if (!model) return { ...judged, plain: { ...judged.plain, meaning } };
  const understood = reconsider(
    judged,
    classifySentence(classifier, judged.weighed ?? classifier.judge(request), whole, model),
    policy,
    meaning,
  );
  if (parts === undefined) return understood;
  const [first, second] = parts.parts.map((part, index) => {
    const vector = ofParts[index];
    if (vector === undefined) return part;
    const meant = { ...part, meaning: meaningOf(vector, model) };
    return isUnsure(part.classification)
      ? {
          ...meant,
          classification: classifySentence(classifier, classifier.judge(part.text), vector, model),
        }
      : meant;
  });
  let judgedAnew: WeighedMessage = { ...understood, parts: { ...parts, parts: [first!, second!] } };
  for (const part of [first!, second!]) {
    if (isInOtherLanguage(part.text, policy))
      judgedAnew = suspectPart(judgedAnew, part.classification, policy);
  }
  return judgedAnew;
}

/** Number of words below which a text's language is not detected. */
const MIN_WORDS_OF_LANGUAGE = 3;

/**
 * Whether a part of a message is in another language than the bot's. Next to a part in the bot's language its meaning would be lost, so it
 * must be encoded alone.
 */
function isInOtherLanguage(text: string, { texts }: GovernancePolicy): boolean {
  const hasWords =
    /[^\p{Script=Latin}\P{L}]/u.test(text) || text.trim().split(/\s+/).length >= MIN_WORDS_OF_LANGUAGE;
  return hasWords && languageOf([text]) !== texts.language;
}

/** Encodes a text; undefined if it is blank, or there is no encoder. */
type Encode = (input: EncoderInput) => Promise<Float32Array | undefined>;

/** A message after encoding, and whether anything was encoded. */
export interface Understood {
  judged: WeighedMessage;
  isEncoded: boolean;
}

/**
 * Judges a message again with the encoder, alone and together with earlier messages, if that may change the decision.
 * @throws Error if the encoder fails.
 */
export async function understand(
  bot: BotForReading,
  judged: WeighedMessage,
  before: SaidBefore | undefined,
  encode: Encode,
): Promise<Understood> {
  const context = contextToEncode(judged, before);
  const ofMessage = Promise.all(sentencesToEncode(bot, judged).map((input) => encode(input)));
  const [vectors, ofContext] = await Promise.all([
    ofMessage,
    context && encodeContext(context, ofMessage, encode),
  ]);
  const weighed = inLightOf(bot, judged, vectors);
  const read = context && ofContext ? readInContext(bot, weighed, context, ofContext) : weighed;
  return { judged: read, isEncoded: vectors[0] !== undefined || ofContext?.inContext !== undefined };
}

/** Reuses the vector of the message itself. */
async function encodeContext(
  { alone, inContext, subject }: ContextInputs,
  ofMessage: Promise<readonly (Float32Array | undefined)[]>,
  encode: Encode,
): Promise<ContextVectors> {
  const [behind, named] = await Promise.all([encode(inContext), subject && encode(subject)]);
  return { alone: (await ofMessage)[0] ?? (await encode(alone)), inContext: behind, subject: named };
}

/** `understand` with a given encoder. */
export type Understand = (
  bot: BotForReading,
  judged: WeighedMessage,
  before?: SaidBefore,
) => Awaitable<WeighedMessage>;

/** @throws Error if the encoder fails. */
export function understandBy(encoder: Pick<EncoderThread, "encode">): Understand {
  return async (bot, judged, before) =>
    (await understand(bot, judged, before, (input) => encoder.encode(input))).judged;
}
