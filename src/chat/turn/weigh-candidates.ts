import type { BotKnowledge } from "../../bots/bot-knowledge.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Vectors } from "../../bots/vectors.ts";
import type { Classification, ReadingMeaning } from "../../domain/decision.ts";
import type { TextLanguage } from "../../domain/texts.ts";
import {
  type CandidateEvidence,
  type MessageEvidence,
  weighCandidates,
  type WeighedCandidates,
} from "../../governance/candidates.ts";
import { withChoice } from "../../governance/choose-answer.ts";
import type { SaidBefore } from "../../governance/follow-up/follow-up.ts";
import type { JudgedMessage, ReadingInContext } from "../../governance/judged-message.ts";
import { headingOf } from "../../knowledge/passage-texts.ts";
import {
  type OtherText,
  type WeighedPassage,
  type WeighedTexts,
  weighTexts,
} from "../../knowledge/weigh-passages.ts";
import { languageOf, textLanguageOf } from "../../text/language-of.ts";

/** A bot with its documents and the encoder; without the encoder, words decide alone. */
export interface Asking {
  bot: LoadedBot;
  vectors: Vectors | undefined;
}

/** Documents with the encoder, without a bot; without the encoder, words decide alone. */
export interface AskedDocuments {
  knowledge: BotKnowledge;
  /** Of the passages, as a BCP 47 tag. */
  language: string;
  /** Assumed language of messages that show no other. */
  spoken: TextLanguage;
  vectors: Vectors | undefined;
}

/** All candidates for the answer to a message, with the passages among them. */
export interface Competition {
  /** For the whole message, and for each of its parts if it has two. */
  weighed: readonly WeighedCandidates[];
  /** In the same order. */
  texts: readonly WeighedTexts[];
  /** If a model rewrote the message, the other fields are about its question: `weighed` of the original message. */
  asTyped?: readonly WeighedCandidates[];
}

/** A message or a part of it, in its readings, to compare with a bot's texts. */
interface MessagePart {
  text: string;
  classification: Classification;
  meaning?: ReadingMeaning | undefined;
  inContext?: ReadingInContext;
}

/** A whole message. */
export function wholeMessage({ text, request, plain, inContext }: JudgedMessage): MessagePart {
  return {
    text: request ?? text,
    classification: plain.classification,
    meaning: plain.meaning,
    ...(inContext && { inContext }),
  };
}

/**
 * Weighs a bot's intents and the passages of its documents for a message, for each of its two parts, and for the question rewritten by a
 * model, if there is one.
 */
export async function weighCompetition(
  asking: Asking,
  judged: JudgedMessage,
  before: SaidBefore | undefined,
): Promise<Competition> {
  const { byModel } = judged;
  const typed = await competeForParts(asking, judged, before);
  if (byModel === undefined) return typed;
  const { weighed, texts } = await competeForParts(asking, byModel.question, undefined);
  const [whole, ...ofParts] = weighed.map(asStandalone);
  const chosen = byModel.choice ? withChoice(whole!, byModel.choice) : whole!;
  return { weighed: [chosen, ...ofParts], texts, asTyped: typed.weighed };
}

function asStandalone({ candidates, ...weighed }: WeighedCandidates): WeighedCandidates {
  return {
    ...weighed,
    candidates: candidates.map((candidate) => ({ ...candidate, reading: "standalone" })),
  };
}

async function competeForParts(
  asking: Asking,
  judged: JudgedMessage,
  before: SaidBefore | undefined,
): Promise<Competition> {
  const parts = [wholeMessage(judged), ...(judged.parts?.parts ?? [])];
  const found = await Promise.all(
    parts.map(async (part) => {
      const { texts, evidence, message } = await evidenceFor(asking, part, before);
      return { weighed: weighCandidates(evidence, message), texts };
    }),
  );
  return { weighed: found.map(({ weighed }) => weighed), texts: found.map(({ texts }) => texts) };
}

/**
 * Weighs only the passages of documents for a text, as for a bot without intents.
 * @param meaning of the text; absent: by words alone.
 */
export async function weighDocuments(
  documents: AskedDocuments,
  text: string,
  meaning: Float32Array | undefined,
): Promise<{ weighed: WeighedCandidates; texts: WeighedTexts }> {
  const texts = await weighAll(documents, text, meaning ? [meaning] : [], []);
  const evidence = texts.passages.map((passage) => evidenceOfPassage(passage, undefined));
  return { weighed: weighCandidates(evidence, evidenceOfText(documents, text)), texts };
}

/** The evidence for all candidates for a text. */
export async function evidenceFor(
  asking: Asking,
  part: MessagePart,
  before: SaidBefore | undefined,
): Promise<{ texts: WeighedTexts; evidence: CandidateEvidence[]; message: MessageEvidence }> {
  const { bot } = asking;
  const { text, classification, meaning, inContext } = part;
  const documents = documentsOf(asking);
  const readings = meaning ? [meaning, inContext?.meaning].flatMap((reading) => reading?.vector ?? []) : [];
  const texts = await weighAll(documents, text, readings, bot.answers);
  const evidence = [
    ...evidenceOfIntents(bot, part, texts, before),
    ...texts.passages.map((passage) => evidenceOfPassage(passage, before)),
  ];
  const usesMeaning = evidence.every(({ nearness }) => nearness !== undefined);
  const message: MessageEvidence = {
    ...evidenceOfText(documents, text),
    ...(bot.policy.intents.length > 0 && { inScope: classification.inScope }),
    ...(usesMeaning && inContext && { leans: inContext.leans }),
    ...(texts.hasNewWordsAlone && inContext?.bringsWord && { bringsWord: true as const }),
  };
  return { texts, evidence, message };
}

function documentsOf({ bot: { knowledge, document, policy }, vectors }: Asking): AskedDocuments {
  return {
    knowledge,
    language: document.language ?? policy.texts.language,
    spoken: textLanguageOf(document.language) ?? policy.texts.language,
    vectors,
  };
}

function evidenceOfText({ spoken }: AskedDocuments, text: string): MessageEvidence {
  const language = languageOf([text]);
  return {
    words: text.trim().split(/\s+/).length,
    isForeign: language !== undefined && language !== spoken,
  };
}

/**
 * Compares a text with documents. If a passage of the index is gone, documents have changed since: the index is updated and searched
 * again.
 */
async function weighAll(
  documents: AskedDocuments,
  text: string,
  readings: readonly Float32Array[],
  others: readonly OtherText[],
): Promise<WeighedTexts> {
  const found = await weighNow(documents, text, readings, others);
  if (!found.isOutdated) return found.texts;
  await documents.knowledge.refresh();
  return (await weighNow(documents, text, readings, others)).texts;
}

async function weighNow(
  { knowledge, language, vectors }: AskedDocuments,
  text: string,
  readings: readonly Float32Array[],
  others: readonly OtherText[],
): Promise<{ texts: WeighedTexts; isOutdated: boolean }> {
  let isOutdated = false;
  const texts = await weighTexts(
    {
      index: await knowledge.open(),
      readPassages: async (ids) => {
        const passages = await knowledge.readPassages(ids);
        isOutdated ||= ids.some((id) => !passages.has(id));
        return passages;
      },
      language,
      ...(vectors && {
        meaningsOf: (ids: readonly number[]) =>
          vectors.ofPassages(ids, { language, read: (some) => knowledge.readPassages(some) }),
      }),
    },
    text,
    readings,
    others,
  );
  return { texts, isOutdated };
}

function evidenceOfIntents(
  { policy }: LoadedBot,
  { classification, meaning, inContext }: MessagePart,
  { others, passages }: WeighedTexts,
  before: SaidBefore | undefined,
): CandidateEvidence[] {
  const isCompared = passages.every(({ nearness }) => nearness.length > 0);
  return policy.intents.map((intent, i) => {
    const alone = isCompared ? meaning?.nearness?.[i] : undefined;
    const behind = inContext?.meaning.nearness?.[i];
    return {
      target: { kind: "intent", intent },
      ...(alone !== undefined && {
        nearness: { alone, ...(behind !== undefined && { inContext: behind }) },
      }),
      ...others[i]!,
      confidence: classification.confidences[i]!,
      isSubject: before?.subject?.intent === intent,
      isOfDocument: false,
    };
  });
}

function evidenceOfPassage(
  { id, passage, nearness: [alone, inContext], grams, coverage }: WeighedPassage,
  before: SaidBefore | undefined,
): CandidateEvidence {
  const subject = before?.subject?.passage;
  return {
    target: { kind: "passage", passage: id, document: passage.documentId, heading: headingOf(passage) },
    ...(alone !== undefined && { nearness: { alone, ...(inContext !== undefined && { inContext }) } }),
    grams,
    coverage,
    confidence: 0,
    isSubject: subject?.id === id,
    isOfDocument: subject?.document === passage.documentId,
  };
}
