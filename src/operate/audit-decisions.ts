import type { BotDocument } from "../domain/bot.ts";
import type { DeniedBy } from "../domain/decision.ts";
import type { RatingCounts } from "../store/interface/analytics.ts";
import type {
  AuditScope,
  CallCount,
  DecisionCount,
  RatedAnswer,
  UnansweredKind,
} from "../store/interface/audit.ts";
import type { Audit, Knowledge } from "../store/interface/store.ts";
import { type GroupBounds, groupMessages, type MessageGroups } from "./group-messages.ts";
import { findLikelyWrong, type LikelyWrong, signInWords } from "./likely-wrong.ts";

/** Number of refusals, real or in observe mode, by intent, term or kind of data and by reason. */
export interface RefusalCount {
  reason: string;
  /** null: no intent. */
  intent: string | null;
  /** The term or pattern of the profile; null if the intent was refused. */
  deniedBy: DeniedBy | null;
  turns: number;
}

/** The decisions of a bot's turns. */
export interface DecisionAudit {
  turns: number;
  /** By outcome for the visitor. */
  decisions: Readonly<Record<string, number>>;
  /** Intents that were refused, most frequent first. */
  refused: readonly RefusalCount[];
  /** Turns that observe mode answered and enforcement would have refused, most frequent first. */
  wouldRestrict: { turns: number; refused: readonly RefusalCount[] };
  /** Results of actions' calls, most frequent first. */
  calls: readonly CallCount[];
  unmatched: UnansweredMessages;
  /** Use of the bot's documents; null if it never had any. */
  knowledge: KnowledgeAudit | null;
  /** Messages that the profile refused. */
  refusedMessages: UnansweredMessages;
  rated: RatedAnswers;
  /** Answers and refusals with signs of being wrong. */
  likelyWrong: LikelyWrongTurns;
}

/** Turns that are likely wrong; see `findLikelyWrong`. */
export interface LikelyWrongTurns {
  /** Number of answers and refusals examined, the latest ones. */
  looked: number;
  /** Number of them that are likely wrong. */
  turns: number;
  /** Those with a sign from the visitor first. */
  listed: readonly LikelyWrongTurn[];
}

export interface LikelyWrongTurn extends Pick<
  LikelyWrong,
  "requestId" | "conversationId" | "at" | "intent" | "decision" | "before" | "input" | "response"
> {
  /** Reasons in words; at least one. */
  why: readonly string[];
}

/** Visitors' ratings of answers. */
export interface RatedAnswers extends RatingCounts {
  /** The latest first. */
  answers: readonly RatedAnswer[];
  /** Rated answers that are not listed. */
  more: number;
}

/** Questions to a bot's documents. */
export interface KnowledgeAudit {
  asked: number;
  answered: number;
  offered: number;
  /** Questions that the documents probably do not answer. */
  unknown: UnansweredMessages;
  /** Questions that a passage may answer but that got no answer, because its score was too low. */
  withheld: UnansweredMessages;
  /** Documents by how often they were shown. */
  used: readonly { place: string; turns: number }[];
  /** Documents that were never shown, by place. */
  unused: readonly string[];
}

/** Messages without an answer, grouped by similarity. */
export interface UnansweredMessages extends MessageGroups {
  turns: number;
  /** Number of them that were read and grouped, the latest ones. */
  clustered: number;
  /** Number of them without text, as far as known. */
  notKept: number;
  /** Number of them that got a clarifying question. */
  askedBack: number;
}

/** The parts of a bot that the audit uses. */
export interface AuditedBot extends AuditScope {
  document: Pick<BotDocument, "intents">;
}

/** The parts of a store that the audit uses. */
interface AuditedStore {
  audit: Audit;
  knowledge: Pick<Knowledge, "listDocuments">;
}

/** Grouping this number by similarity takes seconds. */
const MAX_CLUSTERED = 5000;
const MAX_REFUSALS = 20;
/** Rated answers that are listed where all are asked for. */
const MAX_RATED = 5000;
/** Answers whose receipts are read; their size is some tens of megabytes. */
const MAX_LOOKED_AT = 5000;

/** Summarises a bot's stored turns and lists unanswered messages and rated answers within `bounds`. */
export async function auditDecisions(
  { audit: store, knowledge }: AuditedStore,
  { document, ...scope }: AuditedBot,
  bounds: GroupBounds,
): Promise<DecisionAudit> {
  const counts = await store.countDecisions(scope);
  const observed = counts.filter(({ wouldReason }) => wouldReason !== null);
  const restricted = counts.filter(
    ({ decision, intent, deniedBy }) =>
      decision !== "allowed" && decision !== "schema_fallback" && (intent !== null || deniedBy !== null),
  );
  return {
    turns: sumTurns(counts),
    decisions: sumBy(counts, ({ decision }) => decision),
    refused: topRefusals(
      restricted.map(({ decision, intent, deniedBy, turns }) => ({
        reason: decision,
        intent,
        deniedBy,
        turns,
      })),
    ),
    wouldRestrict: {
      turns: sumTurns(observed),
      refused: topRefusals(
        observed.map((count) => ({
          reason: count.wouldReason!,
          intent: count.wouldIntent,
          deniedBy: count.deniedBy,
          turns: count.turns,
        })),
      ),
    },
    calls: await store.countCalls(scope),
    unmatched: await listUnanswered("unmatched", store, scope, bounds),
    knowledge: await auditKnowledge({ audit: store, knowledge }, scope, bounds),
    refusedMessages: await listUnanswered("refused", store, scope, bounds),
    rated: await listRated(store, scope, bounds),
    likelyWrong: await listLikelyWrong({ audit: store, knowledge }, document, scope, bounds),
  };
}

async function auditKnowledge(
  { audit, knowledge }: AuditedStore,
  scope: AuditScope,
  bounds: GroupBounds,
): Promise<KnowledgeAudit | null> {
  const documents = await knowledge.listDocuments(scope.bot);
  const { shown, ...counts } = await audit.countKnowledge(scope);
  if (documents.length === 0 && counts.asked === 0) return null;
  const uses = documents.map(({ id, place }) => ({ place, turns: shown.get(id) ?? 0 }));
  return {
    ...counts,
    unknown: await listUnanswered("unknown", audit, scope, bounds),
    withheld: await listUnanswered("withheld", audit, scope, bounds),
    used: uses.filter(({ turns }) => turns > 0).toSorted((a, b) => b.turns - a.turns),
    unused: uses.filter(({ turns }) => turns === 0).map(({ place }) => place),
  };
}

async function listUnanswered(
  kind: UnansweredKind,
  store: Audit,
  scope: AuditScope,
  bounds: GroupBounds,
): Promise<UnansweredMessages> {
  const messages = await store.listUnanswered(kind, scope, MAX_CLUSTERED);
  const turns = await store.countUnanswered(kind, scope);
  const clustered = messages.length;
  return {
    turns,
    clustered,
    notKept: clustered < MAX_CLUSTERED ? turns - clustered : 0,
    askedBack: messages.filter(({ isAskedBack }) => isAskedBack).length,
    ...groupMessages(messages, bounds),
  };
}

async function listRated(store: Audit, scope: AuditScope, { inAll }: GroupBounds): Promise<RatedAnswers> {
  const counts = await store.countRatings(scope);
  const answers = await store.listRated(scope, Math.min(inAll, MAX_RATED));
  return { ...counts, answers, more: Math.max(0, counts.up + counts.down - answers.length) };
}

async function listLikelyWrong(
  { audit, knowledge }: AuditedStore,
  document: AuditedBot["document"],
  scope: AuditScope,
  { inAll }: GroupBounds,
): Promise<LikelyWrongTurns> {
  const answered = await audit.listAnswered(scope, MAX_LOOKED_AT);
  const found = findLikelyWrong(answered, document);
  const stored = found.length > 0 ? await knowledge.listDocuments(scope.bot) : [];
  const documents = new Map(stored.map(({ id, place }) => [id, place]));
  const listed = found
    .slice(0, inAll)
    .map(({ requestId, conversationId, at, intent, decision, before, input, response, signs }) => {
      const why = signs.map((sign) => signInWords(sign, documents));
      return { requestId, conversationId, at, intent, decision, before, input, response, why };
    });
  return { looked: answered.length, turns: found.length, listed };
}

function sumTurns(counts: readonly { turns: number }[]): number {
  return counts.reduce((sum, { turns }) => sum + turns, 0);
}

function sumBy(counts: readonly DecisionCount[], nameOf: (count: DecisionCount) => string) {
  const groups = Map.groupBy(counts, nameOf);
  return Object.fromEntries([...groups].map(([name, same]) => [name, sumTurns(same)]));
}

/** Adds up the counts of the same intent or rule and reason. */
function topRefusals(refusals: readonly RefusalCount[]): RefusalCount[] {
  const same = Map.groupBy(refusals, ({ reason, intent, deniedBy }) =>
    JSON.stringify([reason, intent, deniedBy]),
  );
  return [...same.values()]
    .map((counts) => ({ ...counts[0]!, turns: sumTurns(counts) }))
    .toSorted((a, b) => b.turns - a.turns)
    .slice(0, MAX_REFUSALS);
}
