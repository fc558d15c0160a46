import { CLOSE_FROM, type DecisionRule } from "../../domain/decision.ts";
import type { Rating } from "../../domain/feedback.ts";
import { FIRST_PLACE, lastPlace, parseDeniedBy } from "../audit-rows.ts";
import type { RatingCounts } from "../interface/analytics.ts";
import type {
  Audit,
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
import { List } from "./connection.ts";
import type { Pool } from "./pool.ts";

const BY_DEFAULT_INTENT = "default-intent" satisfies DecisionRule;

const MAY_HELP = "knowledge-may-help" satisfies DecisionRule;

/** Most receipts do not hold the name, and are not parsed. */
const IS_KNOWLEDGE_ASKED = `CASE WHEN strpos(receipt, '"knowledge":') > 0
  THEN receipt::json #>> '{knowledge,confidence}' IS NOT NULL ELSE false END`;

const CONDITIONS: Record<UnansweredKind, string> = {
  unmatched: `(enforcement_reason = 'no_intent_match' OR receipt::json ->> 'rule' = '${BY_DEFAULT_INTENT}')`,
  unknown: `(enforcement_reason = 'no_intent_match' OR receipt::json ->> 'rule' = '${BY_DEFAULT_INTENT}') AND ${IS_KNOWLEDGE_ASKED}`,
  refused: "enforcement_reason IN ('DENY_LIST', 'NOT_IN_ALLOW_LIST')",
};

const CLOSEST = "(receipt::json #> '{readings,0,scores,0}')";
const CLOSEST_INTENT = `CASE WHEN (${CLOSEST} ->> 'confidence')::float8 >= ${CLOSE_FROM} THEN ${CLOSEST} ->> 'intent' END`;

const TURNS_OF_BOT = `
FROM turns JOIN conversations ON conversations.id = conversation_id
WHERE bot_key = $1 AND turns.at >= $2
  AND ($3::text IS NULL OR turns.request_id IN (SELECT request_id FROM ratings WHERE rating = $3))`;
const valuesOf = ({ bot, since, rating }: AuditScope) => [bot, since, rating ?? null];

const RATED = `
FROM ratings JOIN turns ON turns.request_id = ratings.request_id JOIN conversations ON conversations.id = conversation_id
WHERE bot_key = $1 AND turns.at >= $2 AND ($3::text IS NULL OR rating = $3)`;

/** Of an observed turn, what enforcement would have done. Most receipts do not hold the name, and are not parsed. */
const wouldHave = (field: string) =>
  `CASE WHEN strpos(receipt, '"wouldRestrict"') > 0 THEN receipt::json #>> '{wouldRestrict,${field}}' END`;

/** As JSON. Most receipts do not hold the name, and are not parsed. */
const DENIED_BY = `CASE WHEN strpos(receipt, '"deniedBy"') > 0
  THEN coalesce(receipt::json -> 'deniedBy', receipt::json #> '{wouldRestrict,deniedBy}')::text END`;

/** Sums over stored turns, for operators. */
export class PostgresAudit implements Audit {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async countDecisions(scope: AuditScope): Promise<DecisionCount[]> {
    const rows = await this.#pool.query<Omit<DecisionCount, "deniedBy"> & { deniedBy: string | null }>(
      `SELECT coalesce(enforcement_reason, 'allowed') AS decision, intent, ${wouldHave("reason")} AS "wouldReason",
         ${wouldHave("intent")} AS "wouldIntent", ${DENIED_BY} AS "deniedBy", count(*)::int4 AS turns
       ${TURNS_OF_BOT}
       GROUP BY 1, 2, 3, 4, 5 ORDER BY turns DESC, 1, 2 NULLS FIRST`,
      valuesOf(scope),
    );
    return rows.map((count) => ({ ...count, deniedBy: parseDeniedBy(count.deniedBy) }));
  }

  async countKnowledge(scope: AuditScope): Promise<KnowledgeUse> {
    const [counts] = await this.#pool.query<Omit<KnowledgeUse, "shown">>(
      `SELECT count(*)::int4 AS asked,
         count(*) FILTER (WHERE receipt::json ->> 'rule' <> '${MAY_HELP}' AND receipt::json #> '{knowledge,shown}' IS NOT NULL)::int4 AS answered,
         count(*) FILTER (WHERE receipt::json ->> 'rule' = '${MAY_HELP}')::int4 AS offered
       ${TURNS_OF_BOT} AND ${IS_KNOWLEDGE_ASKED}`,
      valuesOf(scope),
    );
    const shown = await this.#pool.query<{ document: string; turns: number }>(
      `SELECT document, count(*)::int4 AS turns
       FROM (SELECT receipt ${TURNS_OF_BOT} AND ${IS_KNOWLEDGE_ASKED}) AS asked,
         json_array_elements_text(asked.receipt::json #> '{knowledge,shown}') AS document
       GROUP BY 1`,
      valuesOf(scope),
    );
    return { ...counts!, shown: new Map(shown.map(({ document, turns }) => [document, turns])) };
  }

  async countUnanswered(kind: UnansweredKind, scope: AuditScope): Promise<number> {
    const text = `SELECT count(*)::int4 AS count ${TURNS_OF_BOT} AND ${CONDITIONS[kind]}`;
    const [row] = await this.#pool.query<{ count: number }>(text, valuesOf(scope));
    return row!.count;
  }

  async listUnanswered(kind: UnansweredKind, scope: AuditScope, limit: number): Promise<UnansweredMessage[]> {
    const intent = kind === "refused" ? "intent" : CLOSEST_INTENT;
    const rows = await this.#pool.query<Omit<UnansweredMessage, "deniedBy"> & { deniedBy: string | null }>(
      `SELECT input, ${intent} AS intent, coalesce(enforcement_reason, 'no_intent_match') AS reason,
         receipt::json #>> '{suggestions,0}' IS NOT NULL AS "isAskedBack", ${DENIED_BY} AS "deniedBy"
       ${TURNS_OF_BOT} AND ${CONDITIONS[kind]} AND input <> ''
       ORDER BY turns.at DESC, turns.request_id DESC LIMIT $4`,
      [...valuesOf(scope), limit],
    );
    return rows.map((message) => ({ ...message, deniedBy: parseDeniedBy(message.deniedBy) }));
  }

  async countRatings(scope: AuditScope): Promise<RatingCounts> {
    const counts: RatingCounts = { up: 0, down: 0 };
    const rows = await this.#pool.query<{ rating: Rating; answers: number }>(
      `SELECT rating, count(*)::int4 AS answers ${RATED} GROUP BY rating`,
      valuesOf(scope),
    );
    for (const { rating, answers } of rows) counts[rating] = answers;
    return counts;
  }

  listRated(scope: AuditScope, limit: number): Promise<RatedAnswer[]> {
    return this.#pool.query<RatedAnswer>(
      `SELECT turns.request_id AS "requestId", conversation_id AS "conversationId", turns.at::float8 AS at, input, response,
         intent, coalesce(enforcement_reason, 'allowed') AS decision, rating, reason
       ${RATED} ORDER BY turns.at DESC, turns.request_id DESC LIMIT $4`,
      [...valuesOf(scope), limit],
    );
  }

  async listSaid(bot: BotKey, conversations: number, before = FIRST_PLACE): Promise<SaidPage> {
    const chosen = await this.#pool.query<ConversationPlace>(
      `SELECT id, created_at::float8 AS "startedAt" FROM conversations
       WHERE bot_key = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4`,
      [bot, before.startedAt, before.id, conversations],
    );
    const messages = await this.#pool.query<SaidMessage>(
      `SELECT request_id AS "requestId", conversation_id AS "conversationId", input AS text
       FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, position) JOIN turns ON conversation_id = wanted.id
       WHERE input <> '' ORDER BY wanted.position, number DESC`,
      [new List(chosen.map(({ id }) => id))],
    );
    return { messages, last: lastPlace(chosen, conversations) };
  }
}
