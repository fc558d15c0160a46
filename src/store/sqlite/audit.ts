import type { Database } from "better-sqlite3";

import { CLOSE_FROM, type DecisionRule } from "../../domain/decision.ts";
import type { Rating } from "../../domain/feedback.ts";
import { parseDeniedBy, FIRST_PLACE, lastPlace } from "../audit-rows.ts";
import type { RatingCounts } from "../interface/analytics.ts";
import type {
  AuditScope,
  ConversationPlace,
  DecisionCount,
  KnowledgeUse,
  RatedAnswer,
  SaidMessage,
  SaidPage,
  UnansweredKind,
  UnansweredMessage,
} from "../interface/audit.ts";
import type { BotKey } from "../interface/bots.ts";

type UnansweredRow = Omit<UnansweredMessage, "isAskedBack" | "deniedBy"> & {
  isAskedBack: number;
  deniedBy: string | null;
};

const MAY_HELP = "knowledge-may-help" satisfies DecisionRule;

const BY_DEFAULT_INTENT = "default-intent" satisfies DecisionRule;

const CONDITIONS: Record<UnansweredKind, string> = {
  unmatched: `(enforcement_reason = 'no_intent_match' OR receipt ->> '$.rule' = '${BY_DEFAULT_INTENT}')`,
  unknown: `(enforcement_reason = 'no_intent_match' OR receipt ->> '$.rule' = '${BY_DEFAULT_INTENT}')
    AND instr(receipt, '"knowledge":') > 0 AND receipt ->> '$.knowledge.confidence' IS NOT NULL`,
  refused: "enforcement_reason IN ('DENY_LIST', 'NOT_IN_ALLOW_LIST')",
};

const CLOSEST = "receipt ->> '$.readings[0].scores[0]";

const CLOSEST_INTENT = `CASE WHEN ${CLOSEST}.confidence' >= ${CLOSE_FROM} THEN ${CLOSEST}.intent' END`;

/** Where ratings are asked for they are read first: they are few beside turns. */
const turnsOf = ({ rating }: AuditScope) => `
  FROM ${rating === undefined ? "turns" : "ratings CROSS JOIN turns ON turns.key = turn_key"}
  JOIN conversations ON conversations.key = conversation_key
  WHERE bot_key = @bot AND turns.at >= @since ${rating === undefined ? "" : "AND rating = @rating"}`;

const RATED = `
  FROM ratings JOIN turns ON turns.key = turn_key JOIN conversations ON conversations.key = conversation_key
  WHERE bot_key = @bot AND turns.at >= @since AND (@rating IS NULL OR rating = @rating)`;

const withRating = ({ rating, ...scope }: AuditScope) => ({ ...scope, rating: rating ?? null });

/** Of an observed turn, what enforcement would have done. Most receipts do not hold the name, and are not parsed. */
const wouldHave = (field: string) =>
  `CASE WHEN instr(receipt, '"wouldRestrict"') > 0 THEN receipt ->> '$.wouldRestrict.${field}' END`;

/** As JSON. Most receipts do not hold the name, and are not parsed. */
const DENIED_BY = `CASE WHEN instr(receipt, '"deniedBy"') > 0
  THEN coalesce(receipt -> '$.deniedBy', receipt -> '$.wouldRestrict.deniedBy') END`;

/** Sums over stored turns, for operators; never on the path of a message. Results are bounded, whatever was stored. */
export class SqliteAudit {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The ways in which turns were decided, most frequent first. */
  countDecisions(scope: AuditScope): DecisionCount[] {
    return this.#db
      .prepare<[AuditScope], Omit<DecisionCount, "deniedBy"> & { deniedBy: string | null }>(`
        SELECT coalesce(enforcement_reason, 'allowed') AS decision, intent,
          ${wouldHave("reason")} AS wouldReason, ${wouldHave("intent")} AS wouldIntent, ${DENIED_BY} AS deniedBy,
          count(*) AS turns
        ${turnsOf(scope)}
        GROUP BY 1, 2, 3, 4, 5 ORDER BY turns DESC, 1, 2`)
      .all(scope)
      .map((count) => ({ ...count, deniedBy: parseDeniedBy(count.deniedBy) }));
  }

  /** What the bot's documents were asked. Most receipts do not hold the name, and are not parsed. */
  countKnowledge(scope: AuditScope): KnowledgeUse {
    const asked = `${turnsOf(scope)} AND instr(receipt, '"knowledge":') > 0 AND receipt ->> '$.knowledge.confidence' IS NOT NULL`;
    const counts = this.#db
      .prepare<[AuditScope], Omit<KnowledgeUse, "shown">>(`
        SELECT count(*) AS asked,
          coalesce(sum(receipt ->> '$.rule' <> '${MAY_HELP}' AND receipt -> '$.knowledge.shown' IS NOT NULL), 0) AS answered,
          coalesce(sum(receipt ->> '$.rule' = '${MAY_HELP}'), 0) AS offered
        ${asked}`)
      .get(scope)!;
    const shown = this.#db
      .prepare<[AuditScope], { document: string; turns: number }>(`
        SELECT value AS document, count(*) AS turns
        FROM (SELECT receipt ${asked}) AS asked, json_each(asked.receipt, '$.knowledge.shown')
        GROUP BY 1`)
      .all(scope);
    return { ...counts, shown: new Map(shown.map(({ document, turns }) => [document, turns])) };
  }

  countUnanswered(kind: UnansweredKind, scope: AuditScope): number {
    const sql = `SELECT count(*) ${turnsOf(scope)} AND ${CONDITIONS[kind]}`;
    return this.#db.prepare<[AuditScope], number>(sql).pluck().get(scope) ?? 0;
  }

  /** At most `limit` of those whose text was kept, latest first. */
  listUnanswered(kind: UnansweredKind, scope: AuditScope, limit: number): UnansweredMessage[] {
    const intent = kind === "refused" ? "intent" : CLOSEST_INTENT;
    return this.#db
      .prepare<[AuditScope & { limit: number }], UnansweredRow>(`
        SELECT input, ${intent} AS intent, coalesce(enforcement_reason, 'no_intent_match') AS reason,
          receipt ->> '$.suggestions[0]' IS NOT NULL AS isAskedBack, ${DENIED_BY} AS deniedBy
        ${turnsOf(scope)} AND ${CONDITIONS[kind]} AND input <> ''
        ORDER BY turns.key DESC LIMIT @limit`)
      .all({ ...scope, limit })
      .map((message) => ({
        ...message,
        isAskedBack: message.isAskedBack === 1,
        deniedBy: parseDeniedBy(message.deniedBy),
      }));
  }

  countRatings(scope: AuditScope): RatingCounts {
    const counts: RatingCounts = { up: 0, down: 0 };
    const rows = this.#db
      .prepare<[object], { rating: Rating; answers: number }>(
        `SELECT rating, count(*) AS answers ${RATED} GROUP BY rating`,
      )
      .all(withRating(scope));
    for (const { rating, answers } of rows) counts[rating] = answers;
    return counts;
  }

  /** At most `limit`, latest first. */
  listRated(scope: AuditScope, limit: number): RatedAnswer[] {
    return this.#db
      .prepare<[object], RatedAnswer>(`
        SELECT request_id AS requestId, conversations.id AS conversationId, turns.at, input, response, intent,
          coalesce(enforcement_reason, 'allowed') AS decision, rating, reason
        ${RATED} ORDER BY turn_key DESC LIMIT @limit`)
      .all({ ...withRating(scope), limit });
  }

  /** What visitors have said in the conversations that began latest, from the one behind `before` on. */
  listSaid(bot: BotKey, conversations: number, before = FIRST_PLACE): SaidPage {
    const chosen = this.#db
      .prepare<unknown[], ConversationPlace & { key: number }>(
        `SELECT key, id, created_at AS startedAt FROM conversations
         WHERE bot_key = ? AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?`,
      )
      .all(bot, before.startedAt, before.id, conversations);
    const said = this.#db.prepare<[number], Omit<SaidMessage, "conversationId">>(
      "SELECT request_id AS requestId, input AS text FROM turns WHERE conversation_key = ? AND input <> '' ORDER BY key DESC",
    );
    const messages = chosen.flatMap(({ key, id }) =>
      said.all(key).map((message) => ({ ...message, conversationId: id })),
    );
    return { messages, last: lastPlace(chosen, conversations) };
  }
}
