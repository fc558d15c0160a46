import type { ConversationRow } from "../../domain/operator/conversations.ts";
import { type DecidedTurn, outcomeOf } from "../../domain/operator/outcome.ts";
import type { EpochMs } from "../../domain/time.ts";
import { Breather } from "../../domain/waiting.ts";
import type {
  CountedQuery,
  LatestQuery,
  ListedTurn,
  OpenTurn,
  TurnSource,
} from "../analytics/conversation-list.ts";
import type { NewestPlace, OpenPlace } from "../interface/analytics.ts";
import type { ConversationKey, TurnKey } from "../interface/conversations.ts";
import { among, byEngine, sql } from "../sql/sql.ts";
import { all, type Engine, first } from "../sql/work.ts";
import { CONVERSATION, CONVERSATION_KEY, TURN, TURN_KEY } from "./references.ts";
import { LOOKED_UP_AT_ONCE, stepsOf } from "./steps.ts";

interface DescribedRow extends Omit<DecidedTurn, "hasSuggestions"> {
  id: string;
  bot: string;
  startedAt: EpochMs;
  turns: number;
  unhelpful: number;
  requestId: string;
  at: EpochMs;
  input: string;
  intent: string | null;
  hasSuggestions: boolean | number;
}

/** Looks for the name in the text first: most receipts lack it, and need no JSON parsing in PostgreSQL. */
const HAS_SUGGESTIONS = byEngine({
  sqlite: "receipt ->> '$.suggestions[0]' IS NOT NULL",
  postgres: `strpos(receipt, '"suggestions"') > 0 AND receipt::json #>> '{suggestions,0}' IS NOT NULL`,
});

/** SQLite counts turns in the order of time, and has no index of the time; PostgreSQL needs the maximum. */
const NEWEST_AT = byEngine({ sqlite: "at", postgres: "(SELECT max(at) FROM counted_turns)" });

const DESCRIBE = sql`
  SELECT conversations.id AS id, bots.id AS bot, conversations.created_at AS "startedAt",
    (SELECT count(*) FROM turns AS own WHERE own.${CONVERSATION} = ${CONVERSATION_KEY}) AS turns,
    (SELECT count(*) FROM ratings JOIN turns AS own ON ratings.${TURN} = own.${byEngine({ sqlite: "key", postgres: "request_id" })}
      WHERE own.${CONVERSATION} = ${CONVERSATION_KEY} AND rating = 'down') AS unhelpful,
    turns.request_id AS "requestId", at, input, intent, state, enforcement_reason AS "enforcementReason",
    CASE WHEN enforcement_reason = 'no_intent_match' THEN ${HAS_SUGGESTIONS} ELSE false END AS "hasSuggestions"
  FROM turns JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION} JOIN bots ON bots.key = bot_key`;

/** Turns for operators' lists. Each engine finds turns in its own way. */
export abstract class SqlTurnSource implements TurnSource {
  readonly #engine: Pick<Engine, "read">;

  constructor(engine: Pick<Engine, "read">) {
    this.#engine = engine;
  }

  abstract listOpen(below: OpenPlace | undefined, most: number): Promise<OpenTurn[]>;
  abstract listOpenOf(conversations: readonly ConversationKey[]): Promise<OpenTurn[]>;
  abstract listCounted(query: CountedQuery): Promise<Required<ListedTurn>[]>;
  /** Of the counted turns that pass the query: the latest, and the total. */
  abstract findLatest(query: LatestQuery): Promise<{ turns: { key: TurnKey; at: EpochMs }[]; total: number }>;

  async findPlace(requestId: string): Promise<number | undefined> {
    const statement = sql`
      SELECT place FROM counted_turns WHERE ${TURN} = (SELECT ${TURN_KEY} FROM turns WHERE turns.request_id = ${requestId})`;
    return (await this.#engine.read(() => first<{ place: number }>(statement)))?.place;
  }

  newest(): Promise<NewestPlace | undefined> {
    const statement = sql`SELECT place, ${NEWEST_AT} AS at FROM counted_turns ORDER BY place DESC LIMIT 1`;
    return this.#engine.read(() => first<NewestPlace>(statement));
  }

  async describe(turns: readonly ListedTurn[]): Promise<ConversationRow[]> {
    const breather = new Breather();
    const described: ConversationRow[] = [];
    for (const step of stepsOf(turns, LOOKED_UP_AT_ONCE)) {
      const statement = sql`${DESCRIBE} WHERE turns.request_id IN ${among(step.map(({ requestId }) => requestId))}`;
      const rows = await this.#engine.read(() => all<DescribedRow>(statement));
      const byRequest = new Map(rows.map((row) => [row.requestId, row]));
      for (const { requestId } of step) {
        const row = byRequest.get(requestId);
        if (row) described.push(toConversationRow(row));
      }
      await breather.breathe();
    }
    return described;
  }
}

function toConversationRow(row: DescribedRow): ConversationRow {
  const { id, bot, startedAt, turns, unhelpful, requestId, at, input, intent } = row;
  const outcome = outcomeOf({ ...row, hasSuggestions: Boolean(row.hasSuggestions) });
  const latest = { requestId, at, ...(input !== "" && { input }), intent, outcome };
  return { id, bot, startedAt, turns, unhelpful, latest };
}
