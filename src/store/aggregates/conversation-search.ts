import type { TurnOutcome } from "../../domain/conversation.ts";
import type { IntentName, RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import {
  type AskedRow,
  LatestFirst,
  mayMeetPeople,
  type PeoplesWordsRow,
  summaryOfAsked,
  textsOfRow,
} from "../found-by-people.ts";
import type {
  ConversationKey,
  ConversationSummary,
  FoundConversation,
  TurnFilter,
  TurnKey,
} from "../interface/conversations.ts";
import { among, byEngine, type Sql, sql, where } from "../sql/sql.ts";
import { all, type Engine, first } from "../sql/work.ts";
import { StorePart } from "./part.ts";
import { CONVERSATION, CONVERSATION_KEY, TURN_KEY, TURN_PLACE } from "./references.ts";

/** Rows of one read. Other reads and writes run between two pages. Chosen by hand. */
const PAGE = 500;

interface FilteredRow {
  key: ConversationKey;
  latest: TurnKey;
  at: number;
  place: number;
  input?: string;
  response?: string;
}

type PlacedWords = PeoplesWordsRow & { place: number };

/** Of the bot in the filter, if one is given, and not of a deleted bot. A subquery for each row: a join might read all conversations for one page. */
function isOfBot(conversation: Sql, bot: TurnFilter["bot"]): Sql {
  return sql`EXISTS (
    SELECT 1 FROM conversations JOIN bots ON bots.key = bot_key
    ${where(sql`${CONVERSATION_KEY} = ${conversation}`, bot === undefined ? undefined : sql`bot_key = ${bot}`)})`;
}

/** Conditions on the time of a row. */
function withinTime({ since, until }: TurnFilter): (Sql | undefined)[] {
  return [
    since === undefined ? undefined : sql`at >= ${since}`,
    until === undefined ? undefined : sql`at < ${until}`,
  ];
}

const beginsWith = (prefix: string): Sql =>
  sql`substr(intent, 1, length(CAST(${prefix} AS text))) = ${prefix}`;

const COUNT_TURNS = sql`
  (SELECT count(*) FROM turns AS own WHERE own.${CONVERSATION} = ${CONVERSATION_KEY}) AS turns`;
const HEAD = sql`
  conversations.id AS "conversationId", bots.id AS "botId", conversations.created_at AS "startedAt", ${COUNT_TURNS}`;

/** Texts of hand-off forms, and of conversations with an operator. */
const FORMS = sql`SELECT ${CONVERSATION} AS key, created_at AS at, 'form' AS kind, fields AS text, key AS place FROM handoffs`;
const SAID = sql`
  SELECT ${CONVERSATION}, at, 'said', text, number FROM handoff_events WHERE kind <> 'state'`;
/** PostgreSQL cannot derive the collation of a bare text, so it is named. */
const BY_BYTES = byEngine({ sqlite: "", postgres: 'COLLATE "C"' });

/** Finds conversations by their turns, for operators; never on the path of a message. */
export class SqlConversationSearch extends StorePart<Pick<Engine, "read">> {
  /** Conversations that pass the filter, by their latest match, latest first. Turns are read only as far as the caller iterates. */
  async *find(filter: TurnFilter): AsyncGenerator<FoundConversation, void, undefined> {
    const holdsText = textTest(filter.text);
    const latestFirst = new LatestFirst(await this.#findByPeople(filter));
    for await (const { key, at, latest, input, response } of this.#readTurns(filter)) {
      if (!latestFirst.has(key) && holdsText(input, response)) yield* latestFirst.upTo({ key, at, latest });
    }
    yield* latestFirst.rest();
  }

  async findKey(id: string): Promise<ConversationKey | undefined> {
    const statement = sql`SELECT ${CONVERSATION_KEY} AS key FROM conversations WHERE id = ${id}`;
    return (await this.engine.read(() => first<{ key: ConversationKey }>(statement)))?.key;
  }

  /** List rows of found conversations, in the same order; those that were deleted since are left out. */
  async summarise(found: readonly FoundConversation[]): Promise<ConversationSummary[]> {
    const turnKeys = found.flatMap(({ latest }) => latest ?? []);
    const turns = sql`
      SELECT ${TURN_KEY} AS key, ${HEAD}, turns.request_id AS "requestId", at, input, intent,
        coalesce(enforcement_reason, 'allowed') AS outcome
      FROM turns JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION} JOIN bots ON bots.key = bot_key
      WHERE ${TURN_KEY} IN ${among(turnKeys)}`;
    const asked = found.filter(({ latest }) => latest === undefined).map(({ key }) => key);
    const forms = sql`
      SELECT ${CONVERSATION_KEY} AS key, ${HEAD}, fields
      FROM handoffs JOIN conversations ON ${CONVERSATION_KEY} = handoffs.${CONVERSATION} JOIN bots ON bots.key = bot_key
      WHERE handoffs.key IN (
        SELECT max(handoffs.key) FROM handoffs WHERE handoffs.${CONVERSATION} IN ${among(asked)} GROUP BY handoffs.${CONVERSATION})`;
    return this.engine.read(function* () {
      const turnRows = turnKeys.length > 0 ? yield* all<SummaryRow & { key: TurnKey }>(turns) : [];
      const formRows = asked.length > 0 ? yield* all<AskedRow & { key: ConversationKey }>(forms) : [];
      const byTurn = new Map(turnRows.map(({ key, ...row }) => [key, row]));
      const byConversation = new Map(formRows.map(({ key, ...row }) => [key, row]));
      return found.flatMap(({ key, at, latest }) => {
        const turn = latest === undefined ? undefined : byTurn.get(latest);
        const form = latest === undefined ? byConversation.get(key) : undefined;
        return [...(turn ? [toSummary(turn)] : []), ...(form ? [summaryOfAsked(form, at)] : [])];
      });
    });
  }

  async #findByPeople(filter: TurnFilter): Promise<FoundConversation[]> {
    if (!mayMeetPeople(filter)) return [];
    const holdsText = textTest(filter.text);
    const words = filter.text === undefined ? FORMS : sql`${FORMS} UNION ALL ${SAID}`;
    const found: FoundConversation[] = [];
    for await (const row of this.#pages<PlacedWords>((last) => {
      const behind =
        last &&
        sql`(at, key, kind ${BY_BYTES}, place) < (${last.at}, ${last.key}, ${last.kind}, ${last.place})`;
      const filtered = where(isOfBot(sql`words.key`, filter.bot), ...withinTime(filter), behind);
      return sql`
        SELECT key, at, kind, text, place FROM (${words}) AS words ${filtered}
        ORDER BY at DESC, key DESC, kind ${BY_BYTES} DESC, place DESC LIMIT ${PAGE}`;
    })) {
      if (holdsText(...textsOfRow(row))) found.push({ key: row.key, at: row.at });
    }
    return found;
  }

  /** Turns that pass the filter (without its text), latest first. They are read by the index of time, not through the bot. */
  #readTurns(filter: TurnFilter): AsyncGenerator<FilteredRow, void, undefined> {
    const { bot, outcome, intent, text } = filter;
    const texts = text === undefined ? sql`` : sql`, input, response`;
    const isPrefix = intent?.endsWith(".*") ?? false;
    const conditions = [
      isOfBot(sql`turns.${CONVERSATION}`, bot),
      ...withinTime(filter),
      outcome === "allowed"
        ? sql`enforcement_reason IS NULL`
        : outcome && sql`enforcement_reason = ${outcome}`,
      intent === undefined || isPrefix ? undefined : sql`intent = ${intent}`,
      isPrefix ? beginsWith(intent!.slice(0, -1)) : undefined,
    ];
    return this.#pages<FilteredRow>((last) => {
      const behind =
        last && sql`(at, turns.${CONVERSATION}, ${TURN_PLACE}) < (${last.at}, ${last.key}, ${last.place})`;
      return sql`
        SELECT turns.${CONVERSATION} AS key, at, ${TURN_KEY} AS latest, ${TURN_PLACE} AS place${texts}
        FROM turns ${where(...conditions, behind)}
        ORDER BY at DESC, turns.${CONVERSATION} DESC, ${TURN_PLACE} DESC LIMIT ${PAGE}`;
    });
  }

  /** Reads page after page. @param pageBehind the statement for the page after a row; for the first page without one. */
  async *#pages<Row>(pageBehind: (last: Row | undefined) => Sql): AsyncGenerator<Row, void, undefined> {
    let last: Row | undefined;
    for (;;) {
      const statement = pageBehind(last);
      const rows = await this.engine.read(() => all<Row>(statement));
      yield* rows;
      last = rows.at(-1);
      if (rows.length < PAGE) return;
    }
  }
}

interface SummaryRow extends Omit<ConversationSummary, "latest"> {
  requestId: RequestId;
  at: EpochMs;
  input: string;
  intent: IntentName | null;
  outcome: TurnOutcome;
}

/** Test whether one of several texts contains the searched text, regardless of case. */
function textTest(text: string | undefined): (...texts: readonly (string | undefined)[]) => boolean {
  if (text === undefined) return () => true;
  const wanted = foldCase(text);
  return (...texts) => texts.some((each = "") => foldCase(each).includes(wanted));
}

/** SQLite's `LIKE` takes "Ö" and "ö" for two letters, so case is folded here. */
function foldCase(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function toSummary({
  requestId,
  at,
  input,
  intent,
  outcome,
  ...conversation
}: SummaryRow): ConversationSummary {
  return { ...conversation, latest: { requestId, at, input, intent, outcome } };
}
