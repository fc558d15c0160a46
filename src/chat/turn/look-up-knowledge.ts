import { knowledgeReading } from "../../bots/knowledge-reading.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Vectors } from "../../bots/vectors.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import { LONGEST_PAUSE_MS } from "../../governance/follow-up/follow-up.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";
import { answerFromKnowledge, type KnowledgeAnswer } from "../../knowledge/answer.ts";
import { sharesWord } from "../../knowledge/shares-word.ts";

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
 */
export async function lookUpText(asking: Asking, text: string): Promise<KnowledgeAnswer> {
  const found = await lookUpNow(asking, text);
  if (!found.isOutdated) return found.answer;
  await asking.bot.knowledge.refresh();
  return (await lookUpNow(asking, text)).answer;
}

async function lookUpNow(
  { bot, vectors }: Asking,
  text: string,
): Promise<{ answer: KnowledgeAnswer; isOutdated: boolean }> {
  const { knowledge, policy, document } = bot;
  let isOutdated = false;
  const read: number[] = [];
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
      ...knowledgeReading(policy.texts.language, vectors, read),
    },
    text,
  );
  return { answer, isOutdated };
}

/** Looks a whole message up: with the subject of the turn before, where it goes on with that; by its two questions, where it has two. */
export async function lookUpMessage(
  asking: Asking,
  { request, text, parts, goesOn, isBrief }: JudgedMessage,
  turns: readonly PastTurn[],
  at: EpochMs,
): Promise<LookedUp> {
  const asked = request ?? text;
  const alone = await lookUpText(asking, asked);
  const subject = goesOn !== undefined || isBrief ? subjectBefore(turns, at) : undefined;
  if (subject !== undefined && (goesOn !== undefined || alone.kind !== "answer")) {
    const joined = await lookUpText(asking, `${subject} ${asked}`);
    if (isMeant(joined, alone)) return { answers: [joined], isFollowUp: true };
  }
  if (parts !== undefined) {
    const ofParts = await Promise.all(parts.parts.map((part) => lookUpText(asking, part.text)));
    if (areTwoAnswers(ofParts)) return { answers: ofParts, isFollowUp: false };
  }
  return { answers: [alone], isFollowUp: false };
}

/** Turns that are looked back at: "and on Sundays?" after "and for children?" is still about the question before both. */
const MOST_TURNS_BACK = 3;
/** A question with more words says what it is about. */
const MOST_LEANING_WORDS = 5;

/** What the conversation is about, where documents answered the turn before: its question, and that before it where it leaned on one. */
function subjectBefore(turns: readonly PastTurn[], at: EpochMs): string | undefined {
  const asked: string[] = [];
  for (const turn of turns.slice(-MOST_TURNS_BACK).toReversed()) {
    const isOne = turn.intent === KNOWLEDGE_INTENT && turn.capabilityAllowed && turn.state === "complete";
    if (!isOne || at - turn.at > LONGEST_PAUSE_MS || turn.input === "") break;
    asked.unshift(turn.input);
    if (turn.input.trim().split(/\s+/).length > MOST_LEANING_WORDS) break;
  }
  return asked.length === 0 ? undefined : asked.join(" ");
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
