import type { Judge } from "../../bots/judging-thread.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Understand } from "../../bots/understanding.ts";
import { decideTurn } from "../../chat/turn/decide-turn.ts";
import type { ChangedMessage, DecisionSummary, PublishPreview } from "../../domain/operator/bots.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { ConversationPlace, SaidMessage } from "../../store/interface/audit.ts";
import type { BotKey } from "../../store/interface/bots.ts";
import type { Audit } from "../../store/interface/store.ts";
import type { Slices } from "../long-work.ts";
import { outcomeOfDecision } from "../receipt/outcome.ts";

/** Messages examined: as many as two versions decide in a few seconds. */
const MOST_MESSAGES = 2000;
/** Conversations read at a time, which takes some milliseconds. */
const STEP = 100;

/** Messages with the same wording. */
interface DistinctMessage extends SaidMessage {
  times: number;
}

interface SaidMessages {
  /** Number of messages, counting repeated wordings each time. */
  messages: number;
  /** Each wording once, with its latest message. */
  distinct: readonly DistinctMessage[];
}

/** The latest stored messages of a bot's visitors, from the most recently begun conversations. */
export async function readSaid(
  audit: Pick<Audit, "listSaid">,
  bot: BotKey,
  slices: Slices,
): Promise<SaidMessages> {
  const byText = new Map<string, DistinctMessage>();
  let messages = 0;
  let before: ConversationPlace | undefined;
  do {
    const page = await audit.listSaid(bot, STEP, before);
    for (const message of page.messages.slice(0, MOST_MESSAGES - messages)) {
      messages += 1;
      const known = byText.get(message.text);
      if (known) known.times += 1;
      else byText.set(message.text, { ...message, times: 1 });
    }
    before = page.last;
    await slices.pause();
  } while (before !== undefined && messages < MOST_MESSAGES);
  return { messages, distinct: [...byText.values()] };
}

/** The decision for a message with the classifier's probability, 0–1. */
interface Decided extends DecisionSummary {
  chance: number;
}

type Kind = keyof Pick<PublishPreview, "newlyAnswered" | "worse" | "improved" | "moved">;
type Comparison = Record<Kind, ChangedMessage[]>;

/** The parts that deciding uses besides the two bots. */
export interface CompareParts {
  at: EpochMs;
  judge: Judge;
  understand: Understand;
  slices: Slices;
  report: (done: number, of: number) => void;
}

/** Messages between two progress reports. */
const REPORT_EVERY = 20;

/** Decides messages by two versions of a bot, each as the first of a conversation, and classifies the differences. */
export async function compareDecisions(
  before: LoadedBot,
  after: LoadedBot,
  messages: readonly DistinctMessage[],
  parts: CompareParts,
): Promise<Comparison> {
  const found: Comparison = { newlyAnswered: [], worse: [], improved: [], moved: [] };
  for (const [index, message] of messages.entries()) {
    const [was, is] = [await decide(before, message.text, parts), await decide(after, message.text, parts)];
    const kind = kindOf(was, is);
    if (kind !== undefined) found[kind].push({ ...message, before: summaryOf(was), after: summaryOf(is) });
    if (index % REPORT_EVERY === 0) parts.report(index, messages.length);
  }
  return found;
}

async function decide(
  bot: LoadedBot,
  text: string,
  { at, judge, understand, slices }: CompareParts,
): Promise<Decided> {
  const { classifier, policy } = bot;
  const plain = await judge(bot, text);
  await slices.pause();
  const found = await bot.findSentences();
  const sentences = typeof found === "string" ? undefined : found;
  const hasDocuments = bot.knowledge.isThere();
  const judged = await understand({ classifier, policy, sentences, hasDocuments }, plain);
  // Both versions search documents by words only: computing the meanings of thousands of sentences would take minutes.
  const { decision } = await decideTurn({ bot, vectors: undefined, onFailure: () => {} }, judged, [], at);
  await slices.pause();
  return {
    outcome: outcomeOfDecision(decision),
    intent: decision.intent ?? null,
    reason: decision.kind === "restricted" ? decision.reason : null,
    rule: decision.rule,
    chance: judged.plain.classification.confidence,
  };
}

function summaryOf({ chance: _, ...summary }: Decided): DecisionSummary {
  return summary;
}

/** How an operator should see a changed decision; undefined if it is unchanged. */
export function kindOf(before: Decided, after: Decided): Kind | undefined {
  const [was, is] = [before.outcome, after.outcome];
  if (was === is && before.intent === after.intent && before.reason === after.reason) return undefined;
  if (is === "answered") {
    if (was === "refused") return "newlyAnswered";
    if (was !== "answered") return "improved";
    return after.chance < before.chance ? "worse" : "moved";
  }
  if (was === "answered" || was === "refused")
    return is === "refused" && was === "refused" ? "moved" : "worse";
  if (is === "asked") return "improved";
  return was === "asked" && is === "unmatched" ? "worse" : "moved";
}
