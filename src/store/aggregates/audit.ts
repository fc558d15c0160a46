import { CLOSE_FROM, type DecisionReceipt, type DecisionRule, type DeniedBy } from "../../domain/decision.ts";
import type { Rating } from "../../domain/feedback.ts";
import type { RatingCounts } from "../interface/analytics.ts";
import type {
  AnsweredTurn,
  AuditScope,
  CallCount,
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
import { among, byEngine, type Sql, sql, text } from "../sql/sql.ts";
import { all, allGiven, type Engine, first } from "../sql/work.ts";
import { StorePart } from "./part.ts";
import { BEFORE, inputToList, PREVIOUS_MESSAGE } from "./previous-message.ts";
import { CONVERSATION, CONVERSATION_KEY, KEY, PLACE, TURN, TURN_KEY, TURN_PLACE } from "./references.ts";

/**
 * Least probability at which a passage counts as a possible answer. Of the unanswered questions of the tuning half of
 * `npm run bench:conversation`, three of four above it have an answer in the documents, and fewer than half below.
 */
const LIKELY_FROM = 0.2;

/** Receipts are validated when they are written, so they are not validated here. */
type WithDeniedBy<Row> = Omit<Row, "deniedBy"> & { deniedBy: string | null };

/** A value of the receipt, as text (or as a number in SQLite); NULL if it is absent. @param path names of fields, and indexes of lists. */
function inReceipt(...path: readonly (string | number)[]): Sql {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return byEngine({
    sqlite: `(receipt ->> '$${steps}')`,
    postgres: `(receipt::json #>> '{${path.join(",")}}')`,
  });
}

/** The same as JSON. */
function jsonInReceipt(...path: readonly string[]): Sql {
  return byEngine({
    sqlite: `(receipt -> '$.${path.join(".")}')`,
    postgres: `(receipt::json #> '{${path.join(",")}}')::text`,
  });
}

/** Looks for the name in the text first: most receipts lack it, and need no JSON parsing. */
function whereNamed(name: string, value: Sql, otherwise = "NULL"): Sql {
  const place = byEngine({ sqlite: "instr", postgres: "strpos" });
  return sql`CASE WHEN ${place}(receipt, ${text(`'"${name}":'`)}) > 0 THEN ${value} ELSE ${text(otherwise)} END`;
}

const isRule = (rule: DecisionRule) => sql`${inReceipt("rule")} = ${rule}`;
const IS_SHOWN = sql`${inReceipt("knowledge", "shown")} IS NOT NULL`;
const IS_KNOWLEDGE_ASKED = whereNamed(
  "knowledge",
  sql`${inReceipt("knowledge", "confidence")} IS NOT NULL`,
  "false",
);
/** A "no" to "Did you mean …?" is left out: the message before it is there. */
const IS_UNMATCHED = sql`
  (enforcement_reason = 'no_intent_match' AND NOT ${isRule("no-choice")} OR ${isRule("default-intent")})`;

/** False for turns in which the documents were not searched. */
const ofDocuments = (condition: Sql) =>
  sql`${IS_UNMATCHED} AND ${whereNamed(
    "knowledge",
    sql`coalesce(CAST(${inReceipt("knowledge", "confidence")} AS double precision) ${condition}, false)`,
    "false",
  )}`;

const CONDITIONS: Record<UnansweredKind, Sql> = {
  unmatched: IS_UNMATCHED,
  unknown: ofDocuments(sql`< ${LIKELY_FROM}`),
  withheld: ofDocuments(sql`>= ${LIKELY_FROM}`),
  refused: sql`enforcement_reason IN ('DENY_LIST', 'NOT_IN_ALLOW_LIST')`,
};

/** Largest number of groups of call outcomes. There are few intents, endpoints and statuses. */
const MAX_WAYS = 100;

/** A call count as statements read it; NULL columns are left out. */
type CallRow = Omit<CallCount, "proofFailed" | "isDry"> & {
  proofFailed: boolean | number;
  isDry: boolean | number;
};

const CLOSEST = ["readings", 0, "scores", 0] as const;
const CLOSEST_INTENT = sql`
  CASE WHEN CAST(${inReceipt(...CLOSEST, "confidence")} AS double precision) >= ${CLOSE_FROM}
  THEN ${inReceipt(...CLOSEST, "intent")} END`;

/** In observe mode, the decision that enforcement would have made. */
const wouldHave = (field: string) => whereNamed("wouldRestrict", inReceipt("wouldRestrict", field));

/** The rule that denied, as JSON. */
const DENIED_BY = whereNamed(
  "deniedBy",
  sql`coalesce(${jsonInReceipt("deniedBy")}, ${jsonInReceipt("wouldRestrict", "deniedBy")})`,
);

/** Each shown document of a receipt, as `each.value`. */
const EACH_SHOWN = byEngine({
  sqlite: "json_each(asked.receipt, '$.knowledge.shown') AS each",
  postgres: "json_array_elements_text(asked.receipt::json #> '{knowledge,shown}') AS each (value)",
});

const LATEST_FIRST = byEngine({
  sqlite: "turns.key DESC",
  postgres: "turns.at DESC, turns.request_id DESC",
});

const turnsOf = ({ bot, since, rating }: AuditScope) => sql`
  FROM turns JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION}
  WHERE bot_key = ${bot} AND turns.at >= ${since}
  ${rating === undefined ? sql`` : sql`AND ${TURN_KEY} IN (SELECT ${TURN} FROM ratings WHERE rating = ${rating})`}`;

const ratedOf = ({ bot, since, rating }: AuditScope) => sql`
  FROM ratings JOIN turns ON ${TURN_KEY} = ratings.${TURN} JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION}
  WHERE bot_key = ${bot} AND turns.at >= ${since} ${rating === undefined ? sql`` : sql`AND rating = ${rating}`}`;

/** Turns with the messages before and after them, and their ratings. */
const ANSWERED = sql`
  SELECT turns.request_id AS "requestId", conversations.id AS "conversationId", turns.at, turns.input, turns.response, turns.intent,
    coalesce(turns.enforcement_reason, 'allowed') AS decision, turns.receipt, rating, reason AS why, ${BEFORE} AS before,
    next.at AS "nextAt", ${inputToList("next")} AS "nextInput", next.intent AS "nextIntent",
    EXISTS (SELECT 1 FROM handoffs WHERE handoffs.${CONVERSATION} = turns.${CONVERSATION}
      AND handoffs.created_at BETWEEN turns.at AND coalesce(next.at, handoffs.created_at)) AS "askedForPerson"
  FROM turns JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION} LEFT JOIN ratings ON ratings.${TURN} = ${TURN_KEY}
  LEFT JOIN turns AS next ON next.${KEY} = (SELECT later.${KEY} FROM turns AS later
    WHERE later.${CONVERSATION} = turns.${CONVERSATION} AND later.${PLACE} > ${TURN_PLACE} ORDER BY later.${PLACE} LIMIT 1)`;

type AnsweredRow = Omit<AnsweredTurn, "receipt" | "next" | "askedForPerson"> & {
  /** JSON. */
  receipt: string;
  nextAt: number | null;
  nextInput: string | null;
  nextIntent: AnsweredTurn["intent"];
  askedForPerson: boolean | number;
};

function answeredTurnOf({
  receipt,
  before,
  nextAt,
  nextInput,
  nextIntent,
  askedForPerson,
  ...turn
}: AnsweredRow): AnsweredTurn {
  const isFollowed = nextAt !== null && nextInput !== null && nextInput !== "";
  return {
    ...turn,
    receipt: JSON.parse(receipt) as DecisionReceipt,
    before: before === "" ? null : before,
    next: isFollowed ? { at: nextAt, input: nextInput, intent: nextIntent } : null,
    askedForPerson: Boolean(askedForPerson),
  };
}

/** Sums over stored turns, for operators; never on the path of a message. Results are bounded, whatever was stored. */
export class SqlAudit extends StorePart<Pick<Engine, "read">> {
  /** Decisions by frequency, most frequent first. */
  async countDecisions(scope: AuditScope): Promise<DecisionCount[]> {
    const statement = sql`
      SELECT coalesce(enforcement_reason, 'allowed') AS decision, intent, ${wouldHave("reason")} AS "wouldReason",
        ${wouldHave("intent")} AS "wouldIntent", ${DENIED_BY} AS "deniedBy", count(*) AS turns
      ${turnsOf(scope)} GROUP BY 1, 2, 3, 4, 5 ORDER BY turns DESC, 1, 2 NULLS FIRST`;
    const counts = await this.engine.read(() => all<WithDeniedBy<DecisionCount>>(statement));
    return counts.map((count) => ({ ...count, deniedBy: parseDeniedBy(count.deniedBy) }));
  }

  /** Outcomes of action calls, most frequent first; at most 100. */
  async countCalls(scope: AuditScope): Promise<CallCount[]> {
    const ofAction = (...path: string[]) => whereNamed("call", inReceipt("action", ...path));
    const statement = sql`
      SELECT ${ofAction("intent")} AS intent, ${ofAction("state")} AS state, ${ofAction("call", "endpoint")} AS endpoint,
        ${ofAction("call", "method")} AS method, CAST(${ofAction("call", "status")} AS integer) AS status,
        ${ofAction("call", "fault")} AS fault, ${ofAction("call", "proofFailed")} IS NOT NULL AS "proofFailed",
        ${ofAction("call", "isDry")} IS NOT NULL AS "isDry", count(*) AS turns
      ${turnsOf(scope)} AND ${ofAction("call", "endpoint")} IS NOT NULL
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY turns DESC, 1, 2, 5 NULLS FIRST, 6 NULLS FIRST LIMIT ${MAX_WAYS}`;
    const counts = await this.engine.read(() => allGiven<CallRow>(statement));
    return counts.map((count) => ({
      ...count,
      proofFailed: Boolean(count.proofFailed),
      isDry: Boolean(count.isDry),
    }));
  }

  /** Use of the bot's documents. */
  async countKnowledge(scope: AuditScope): Promise<KnowledgeUse> {
    const asked = sql`${turnsOf(scope)} AND ${IS_KNOWLEDGE_ASKED}`;
    return this.engine.read(function* () {
      const counts = yield* first<Omit<KnowledgeUse, "shown">>(sql`
        SELECT count(*) AS asked, count(*) FILTER (WHERE NOT (${isRule("knowledge-may-help")}) AND ${IS_SHOWN}) AS answered,
          count(*) FILTER (WHERE ${isRule("knowledge-may-help")}) AS offered
        ${asked}`);
      const shown = yield* all<{ document: string; turns: number }>(sql`
        SELECT each.value AS document, count(*) AS turns FROM (SELECT receipt ${asked}) AS asked, ${EACH_SHOWN} GROUP BY 1`);
      return { ...counts!, shown: new Map(shown.map(({ document, turns }) => [document, turns])) };
    });
  }

  async countUnanswered(kind: UnansweredKind, scope: AuditScope): Promise<number> {
    const statement = sql`SELECT count(*) AS count ${turnsOf(scope)} AND ${CONDITIONS[kind]}`;
    return (await this.engine.read(() => first<{ count: number }>(statement)))!.count;
  }

  /** At most `limit` messages whose text was kept, latest first. */
  async listUnanswered(kind: UnansweredKind, scope: AuditScope, limit: number): Promise<UnansweredMessage[]> {
    const statement = sql`
      SELECT input, ${kind === "refused" ? text("intent") : CLOSEST_INTENT} AS intent,
        coalesce(enforcement_reason, 'no_intent_match') AS reason,
        ${inReceipt("suggestions", 0)} IS NOT NULL AS "isAskedBack", ${DENIED_BY} AS "deniedBy", ${PREVIOUS_MESSAGE}
      ${turnsOf(scope)} AND ${CONDITIONS[kind]} AND input <> '' ORDER BY ${LATEST_FIRST} LIMIT ${limit}`;
    const messages = await this.engine.read(() =>
      all<WithDeniedBy<Omit<UnansweredMessage, "isAskedBack">> & { isAskedBack: boolean | number }>(
        statement,
      ),
    );
    return messages.map((message) => ({
      ...message,
      isAskedBack: Boolean(message.isAskedBack),
      deniedBy: parseDeniedBy(message.deniedBy),
    }));
  }

  /** At most `limit`, latest first. */
  async listAnswered({ bot, since, rating }: AuditScope, limit: number): Promise<AnsweredTurn[]> {
    const statement = sql`
      ${ANSWERED} WHERE bot_key = ${bot} AND turns.at >= ${since} ${rating === undefined ? sql`` : sql`AND rating = ${rating}`}
        AND turns.input <> '' AND turns.state = 'complete'
        AND coalesce(turns.enforcement_reason, '') IN ('', 'DENY_LIST', 'NOT_IN_ALLOW_LIST')
      ORDER BY ${LATEST_FIRST} LIMIT ${limit}`;
    const rows = await this.engine.read(() => all<AnsweredRow>(statement));
    return rows.map(answeredTurnOf);
  }

  async countRatings(scope: AuditScope): Promise<RatingCounts> {
    const counts: RatingCounts = { up: 0, down: 0 };
    const statement = sql`SELECT rating, count(*) AS answers ${ratedOf(scope)} GROUP BY rating`;
    const rows = await this.engine.read(() => all<{ rating: Rating; answers: number }>(statement));
    for (const { rating, answers } of rows) counts[rating] = answers;
    return counts;
  }

  /** At most `limit`, latest first. */
  listRated(scope: AuditScope, limit: number): Promise<RatedAnswer[]> {
    const statement = sql`
      SELECT turns.request_id AS "requestId", conversations.id AS "conversationId", turns.at, input, response, intent,
        coalesce(enforcement_reason, 'allowed') AS decision, rating, reason
      ${ratedOf(scope)} ORDER BY ${LATEST_FIRST} LIMIT ${limit}`;
    return this.engine.read(() => all<RatedAnswer>(statement));
  }

  /**
   * Visitors' messages whose text was kept, of so many conversations: those that began latest, starting after `before`. Of each
   * conversation, the latest message comes first.
   */
  listSaid(bot: BotKey, conversations: number, before = FIRST_PLACE): Promise<SaidPage> {
    return this.engine.read(function* () {
      const chosen = yield* all<ConversationPlace>(sql`
        SELECT id, created_at AS "startedAt" FROM conversations
        WHERE bot_key = ${bot} AND (created_at, id) < (${before.startedAt}, ${before.id})
        ORDER BY created_at DESC, id DESC LIMIT ${conversations}`);
      const messages = yield* all<SaidMessage>(sql`
        SELECT request_id AS "requestId", conversations.id AS "conversationId", input AS text
        FROM conversations JOIN turns ON turns.${CONVERSATION} = ${CONVERSATION_KEY}
        WHERE conversations.id IN ${among(chosen.map(({ id }) => id))} AND input <> ''
        ORDER BY conversations.created_at DESC, conversations.id DESC, ${TURN_PLACE} DESC`);
      return { messages, last: lastPlace(chosen, conversations) };
    });
  }
}

function parseDeniedBy(stored: string | null): DeniedBy | null {
  return stored === null ? null : (JSON.parse(stored) as DeniedBy);
}

/** A place before every conversation. */
const FIRST_PLACE: ConversationPlace = {
  startedAt: Number.MAX_SAFE_INTEGER,
  id: "" as ConversationPlace["id"],
};

/** The place of the page's last conversation; undefined if the page is not full, so that nothing follows. */
function lastPlace(page: readonly ConversationPlace[], most: number): ConversationPlace | undefined {
  const last = page.at(-1);
  return last && page.length === most ? { startedAt: last.startedAt, id: last.id } : undefined;
}
