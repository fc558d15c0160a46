import type { Awaitable } from "../domain/wait-at-most.ts";
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
  type UnderstandingBot,
} from "./read-in-context.ts";

/**
 * Whether it may gain anything to encode a judged message, which says something by itself: its intent is not clear, or the bot denies one and
 * the message is no example of another. On bots that the encoder has not seen, it denies a few of the messages that the classifier is sure of, some where
 * by words alone nothing speaks for the denied intent (`npm run bench:intent -- --fit`).
 */
export function mayBeUnderstood(
  { request, plain, isExample }: WeighedMessage,
  { policy: { standings }, hasDocuments }: Pick<UnderstandingBot, "policy" | "hasDocuments">,
): boolean {
  if (request === undefined) return false;
  if (hasDocuments && !isExample) return true;
  return isUnsure(plain.classification) || (standings.denied.length > 0 && !isExample);
}

/**
 * What of a judged message is to be encoded: the message, and behind it its two parts, where it has two. Nothing where that would gain
 * nothing: its intent is clear, it says nothing by itself, or the bot's examples were not encoded.
 */
export function sentencesToEncode(
  bot: Pick<UnderstandingBot, "sentences" | "policy" | "hasDocuments">,
  judged: WeighedMessage,
): readonly EncoderInput[] {
  const { request, parts } = judged;
  if (request === undefined || !mayBeUnderstood(judged, bot)) return [];
  if (!bot.sentences) return bot.hasDocuments ? [{ form: "message", text: request }] : [];
  const texts = [request, ...(parts?.parts ?? []).map(({ text }) => text)];
  return texts.map((text) => ({ form: "message", text }));
}

/**
 * A judged message in the light of what it means. What was suspected in it before is suspected still.
 * @param vectors of what `sentencesToEncode` named; undefined where there was nothing to encode.
 */
export function inLightOf(
  { classifier, policy, sentences: model }: UnderstandingBot,
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

/** Fewer say no language. */
const FEWEST_WORDS_OF_LANGUAGE = 3;

/**
 * Whether a part of a message is in no words of the bot's language: beside a question in that one, what it means shows only when it is read alone,
 * and by its words nothing of it does.
 */
function isInOtherLanguage(text: string, { texts }: GovernancePolicy): boolean {
  const hasWords =
    /[^\p{Script=Latin}\P{L}]/u.test(text) || text.trim().split(/\s+/).length >= FEWEST_WORDS_OF_LANGUAGE;
  return hasWords && languageOf([text]) !== texts.language;
}

/** What a text means; undefined where it is blank, or nothing encodes. */
type Encode = (input: EncoderInput) => Promise<Float32Array | undefined>;

/** A message as its meaning shows it, and whether anything was encoded for that. */
export interface Understood {
  judged: WeighedMessage;
  isEncoded: boolean;
}

/**
 * Judges a message again by what it means, alone and behind what was said before it, where that gains something.
 * @throws Error where the encoder fails.
 */
export async function understand(
  bot: UnderstandingBot,
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

/** The message itself is not encoded twice. */
async function encodeContext(
  { alone, inContext, subject }: ContextInputs,
  ofMessage: Promise<readonly (Float32Array | undefined)[]>,
  encode: Encode,
): Promise<ContextVectors> {
  const [behind, named] = await Promise.all([encode(inContext), subject && encode(subject)]);
  return { alone: (await ofMessage)[0] ?? (await encode(alone)), inContext: behind, subject: named };
}

/** The same, by whoever encodes. */
export type Understand = (
  bot: UnderstandingBot,
  judged: WeighedMessage,
  before?: SaidBefore,
) => Awaitable<WeighedMessage>;

/** By what an encoder makes of it. @throws Error where the encoder fails. */
export function understandBy(encoder: Pick<EncoderThread, "encode">): Understand {
  return async (bot, judged, before) =>
    (await understand(bot, judged, before, (input) => encoder.encode(input))).judged;
}
