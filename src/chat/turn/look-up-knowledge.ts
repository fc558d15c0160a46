import { knowledgeReading } from "../../bots/knowledge-reading.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Vectors } from "../../bots/vectors.ts";
import { LEANS } from "../../governance/follow-up/leaning.ts";
import type { SaidBefore } from "../../governance/follow-up/said-before.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";
import { answerFromKnowledge, type KnowledgeAnswer } from "../../knowledge/answer.ts";
import { sharesWord } from "../../knowledge/shares-word.ts";
import { contentWordsOf } from "../../text/content-words.ts";

/** What documents say to a message. */
export interface LookedUp {
  /** To each of its questions, in order; the passages of no two are the same. */
  answers: readonly KnowledgeAnswer[];
  /** Whether the subject of the turn before was looked up, too. */
  isFollowUp: boolean;
}

/** A bot whose documents are asked, and who says what texts mean; without them, words decide alone. */
export interface Asking {
  bot: LoadedBot;
  vectors: Vectors | undefined;
}

/**
 * Looks a text up in a bot's documents. Where a passage that the index knows is gone, documents have been stored anew since, and the index is
 * brought up to date and asked again.
 * @param meant what the text means, where that is known already.
 */
export async function lookUpText(
  asking: Asking,
  text: string,
  meant?: Float32Array,
): Promise<KnowledgeAnswer> {
  const found = await lookUpNow(asking, text, meant);
  if (!found.isOutdated) return found.answer;
  await asking.bot.knowledge.refresh();
  return (await lookUpNow(asking, text, meant)).answer;
}

async function lookUpNow(
  { bot, vectors }: Asking,
  text: string,
  meant: Float32Array | undefined,
): Promise<{ answer: KnowledgeAnswer; isOutdated: boolean }> {
  const { knowledge, policy, document } = bot;
  const read: number[] = [];
  const { meanings, ...reading } = knowledgeReading(policy.texts.language, vectors, read);
  let isOutdated = false;
  const answer = await answerFromKnowledge(
    {
      index: await knowledge.open(),
      readPassages: async (ids) => {
        const passages = await knowledge.readPassages(ids);
        read.push(...ids);
        isOutdated ||= ids.some((id) => !passages.has(id));
        return passages;
      },
      language: document.language ?? policy.texts.language,
      ...reading,
      ...(meanings && { meanings: meant ? { ...meanings, ofMessage: async () => meant } : meanings }),
    },
    text,
  );
  return { answer, isOutdated };
}

/** Looks a whole message up: with the subject of the turn before, where it may lean on that; by its two questions, where it has two. */
export async function lookUpMessage(
  asking: Asking,
  judged: JudgedMessage,
  before: SaidBefore | undefined,
): Promise<LookedUp> {
  const { request, text, parts } = judged;
  const asked = request ?? text;
  const alone = await lookUpText(asking, asked);
  const inContext = before && (await lookUpInContext(asking, judged, before, alone));
  if (inContext) return { answers: [inContext], isFollowUp: true };
  if (parts !== undefined) {
    const ofParts = await Promise.all(parts.parts.map((part) => lookUpText(asking, part.text)));
    if (areTwoAnswers(ofParts)) return { answers: ofParts, isFollowUp: false };
  }
  return { answers: [alone], isFollowUp: false };
}

/** What the message brings behind what was said before, where that is meant. */
async function lookUpInContext(
  asking: Asking,
  { request, text, goesOn, isBrief, inContext }: JudgedMessage,
  before: SaidBefore,
  alone: KnowledgeAnswer,
): Promise<KnowledgeAnswer | undefined> {
  const leans = goesOn !== undefined || (inContext?.leans ?? 0) >= LEANS;
  const mayLean = leans || isBrief || inContext !== undefined;
  if (!mayLean || (!leans && alone.kind === "answer")) return undefined;
  const words = before.subject?.words ?? contentWordsOf(before.text);
  const joined = await lookUpText(asking, [...words, request ?? text].join(" "), inContext?.vector);
  return isMeant(joined, alone) ? joined : undefined;
}

/** What the subject alone brings is no answer to a message that names something else. */
function isMeant(joined: KnowledgeAnswer, alone: KnowledgeAnswer): boolean {
  const [best] = joined.passages;
  if (best === undefined || !sharesWord(best.passage, alone.asked)) return false;
  return joined.kind === "answer" || joined.confidence > alone.confidence;
}

function areTwoAnswers([first, second]: readonly KnowledgeAnswer[]): boolean {
  if (first?.kind !== "answer" || second?.kind !== "answer") return false;
  return first.passages[0]!.id !== second.passages[0]!.id;
}
