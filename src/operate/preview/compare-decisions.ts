import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { BotDocument } from "../../domain/bot.ts";
import { isTextKept } from "../../domain/conversation.ts";
import type { Encoding } from "../../domain/decision.ts";
import type { ChangedMessage, DecisionSummary, PublishPreview } from "../../domain/operator/bots.ts";
import type { ConversationPlace } from "../../store/interface/audit.ts";
import type { BotKey } from "../../store/interface/bots.ts";
import type { Audit } from "../../store/interface/store.ts";
import {
  type ConversationStore,
  decideAgain,
  type DecidingAgain,
  type MessageInContext,
  type TurnInContext,
  turnsInContext,
} from "../decide-again.ts";
import type { Slices } from "../long-work.ts";
import { outcomeOfDecision } from "../receipt/outcome.ts";

/**
 * Messages examined. A decision takes about 4 ms, and each text that was not encoded before about 20 ms more (measured with the bot of
 * `test/contract/decided-again.test.ts`, November 2026): the first preview takes some half a minute, the next some seconds.
 */
const MAX_MESSAGES = 1000;
/** Conversations read at a time, which takes some milliseconds. */
const STEP = 100;

/** A stored turn to decide again, and how many turns are the same message. */
interface SaidMessage extends TurnInContext {
  times: number;
}

interface SaidMessages {
  /** Number of messages, counting repeated ones each time. */
  messages: number;
  /** Each message once. Two first messages of conversations with the same wording are one, the latest. */
  distinct: readonly SaidMessage[];
}

/** Where the messages of visitors are read. */
export interface SaidStore extends ConversationStore {
  audit: Pick<Audit, "listSaid">;
}

/** The latest stored messages of a bot's visitors, from the most recently begun conversations. */
export async function readSaid(store: SaidStore, bot: BotKey, slices: Slices): Promise<SaidMessages> {
  const distinct = new Map<string, SaidMessage>();
  let messages = 0;
  let before: ConversationPlace | undefined;
  do {
    const page = await store.audit.listSaid(bot, STEP, before);
    for (const id of new Set(page.messages.map(({ conversationId }) => conversationId))) {
      const said = (await turnsInContext(store, id)).filter(isDecided).toReversed();
      for (const one of said.slice(0, MAX_MESSAGES - messages)) {
        messages += 1;
        const { turn, conversation } = one;
        const key = conversation.turns.length === 0 ? `first: ${turn.input}` : turn.requestId;
        const known = distinct.get(key);
        if (known) known.times += 1;
        else distinct.set(key, { ...one, times: 1 });
      }
      await slices.pause();
    }
    before = page.last;
  } while (before !== undefined && messages < MAX_MESSAGES);
  return { messages, distinct: [...distinct.values()] };
}

/** Whether the bot decided the turn, and its text was kept. */
const isDecided = ({ turn }: TurnInContext): boolean =>
  isTextKept(turn) && turn.receipt.rule !== "handed-over";

/** The decision for a message with the classifier's probability, 0–1. */
interface Decided extends DecisionSummary {
  chance: number;
}

type Kind = keyof Pick<PublishPreview, "newlyAnswered" | "worse" | "improved" | "moved">;
type Comparison = Record<Kind, ChangedMessage[]>;

/** The parts that deciding uses besides the two bots. */
export interface CompareParts extends DecidingAgain {
  slices: Slices;
  report: (done: number, of: number) => void;
}

/** Messages between two progress reports. */
const REPORT_EVERY = 20;

/**
 * Decides messages by two versions of a bot, each in its conversation as it is stored, and classifies the differences. The published
 * version decides its own turns as it did then.
 */
export async function compareDecisions(
  before: LoadedBot,
  after: LoadedBot,
  messages: readonly SaidMessage[],
  parts: CompareParts,
): Promise<Comparison> {
  const found: Comparison = { newlyAnswered: [], worse: [], improved: [], moved: [] };
  const rows = new Map<string, ChangedMessage>();
  const isReadAlike = Bun.deepEquals(readingOf(before.document), readingOf(after.document));
  for (const [index, { times, ...said }] of messages.entries()) {
    const message = messageOf(said, isReadAlike && said.turn.botVersion === before.version);
    const [was, is] = [await decideSaid(before, message, parts), await decideSaid(after, message, parts)];
    const kind = kindOf(was, is);
    if (kind !== undefined) {
      const { requestId, conversationId } = said.turn;
      const text = message.text;
      const row = { requestId, conversationId, text, times, before: summaryOf(was), after: summaryOf(is) };
      const key = JSON.stringify([kind, text, row.after]);
      const known = rows.get(key);
      if (known !== undefined) known.times += times;
      else {
        rows.set(key, row);
        found[kind].push(row);
      }
    }
    if (index % REPORT_EVERY === 0) parts.report(index, messages.length);
  }
  return found;
}

/** Whatever model servers' replies about a message depend on. */
function readingOf({ classifier, intents = [] }: BotDocument) {
  const { embeddings, judge } = classifier ?? {};
  return { embeddings, judge, intents: intents.map(({ name }) => name) };
}

/**
 * A stored turn to be decided again. A message that the encoder could not read then is decided by words now, too.
 * @param isReadAlike whether what model servers replied then holds for both versions; they are not asked again.
 */
export function messageOf({ turn, conversation }: TurnInContext, isReadAlike: boolean): MessageInContext {
  const { input: text, at, standalone, receipt } = turn;
  const { assistance, understanding, knowledge } = receipt;
  const isUnderstood = wasEncoderThere(understanding);
  return {
    text,
    conversation,
    at,
    isUnderstood,
    isMeaningWeighed: isUnderstood && wasEncoderThere(knowledge?.meaning),
    ...(isReadAlike && assistance && { assistance }),
    ...(isReadAlike && standalone !== undefined && { standalone }),
  };
}

/** Whether the encoder was used, or not needed. If it failed or was not ready, words decided alone. */
function wasEncoderThere(encoding: Encoding | undefined): boolean {
  return encoding === undefined || encoding === "used";
}

export async function decideSaid(
  bot: LoadedBot,
  message: MessageInContext,
  parts: CompareParts,
): Promise<Decided> {
  const { decision, judged } = await decideAgain(bot, message, parts);
  await parts.slices.pause();
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
