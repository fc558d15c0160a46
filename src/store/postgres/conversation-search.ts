import { type SummaryRow, textTest, toSummary } from "../conversation-rows.ts";
import {
  type AskedRow,
  LatestFirst,
  mayMeetPeople,
  type PeoplesWordsRow,
  summaryOfAsked,
  textsOfRow,
} from "../found-by-people.ts";
import type {
  ConversationFinder,
  ConversationKey,
  ConversationSummary,
  FoundConversation,
  TurnFilter,
  TurnKey,
} from "../interface/conversations.ts";
import { List, type Parameter } from "./connection.ts";
import type { Pool } from "./pool.ts";

/** Turns read at a time. */
const PAGE = 500;

interface FilteredRow {
  id: string;
  latest: string;
  at: number;
  number: number;
  input?: string;
  response?: string;
}

/** Of the bot that is asked for, and of no deleted one. Looked up for each row: a join might read all conversations for a page. */
const isOf = (conversation: string) => `
(SELECT $1::bigint IS NULL OR bot_key = $1 FROM conversations JOIN bots ON bots.key = bot_key WHERE conversations.id = ${conversation})`;

/** The turns that a filter lets through, its text aside, latest first, from behind one that was read before. */
const selectPage = (texts: string) => `
SELECT conversation_id AS id, turns.request_id AS latest, at::float8 AS at, number::float8 AS number${texts}
FROM turns
WHERE ${isOf("conversation_id")}
  AND ($2::bigint IS NULL OR at >= $2) AND ($3::bigint IS NULL OR at < $3)
  AND ($4::text IS NULL OR coalesce(enforcement_reason, 'allowed') = $4)
  AND ($5::text IS NULL OR intent = $5) AND ($6::text IS NULL OR starts_with(intent, $6))
  AND ($7::bigint IS NULL OR (at, conversation_id, number) < ($7::bigint, $8::text, $9::bigint))
ORDER BY at DESC, conversation_id DESC, number DESC LIMIT ${PAGE}`;

const PAGE_WITHOUT_TEXTS = selectPage("");
const PAGE_WITH_TEXTS = selectPage(", input, response");

const SUMMARISE = `
SELECT conversations.id AS "conversationId", bots.id AS "botId", conversations.created_at::float8 AS "startedAt",
  (SELECT count(*)::int4 FROM turns AS own WHERE own.conversation_id = conversations.id) AS turns,
  turns.request_id AS "requestId", at::float8 AS at, input, intent, coalesce(enforcement_reason, 'allowed') AS outcome
FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, position) JOIN turns ON turns.request_id = wanted.id
JOIN conversations ON conversations.id = conversation_id JOIN bots ON bots.key = bot_key
ORDER BY wanted.position`;

const SUMMARISE_ASKED = `
SELECT conversations.id AS "conversationId", bots.id AS "botId", conversations.created_at::float8 AS "startedAt",
  (SELECT count(*)::int4 FROM turns AS own WHERE own.conversation_id = conversations.id) AS turns, latest.fields
FROM conversations JOIN bots ON bots.key = bot_key
CROSS JOIN LATERAL (
  SELECT fields FROM handoffs WHERE conversation_id = conversations.id ORDER BY handoffs.key DESC LIMIT 1
) AS latest
WHERE conversations.id = ANY($1::text[])`;

/** What visitors filled in for a person, and where texts are looked for, what was said with one; latest first, from behind one that was read before. */
const PEOPLES_WORDS = `
SELECT key, at::float8 AS at, kind, text, place::float8 AS place FROM (
  SELECT conversation_id AS key, created_at AS at, 'form' AS kind, fields AS text, key AS place FROM handoffs
  UNION ALL SELECT conversation_id, at, 'said', text, number FROM handoff_events WHERE $4::bool AND kind <> 'state'
) AS words
WHERE ${isOf("words.key")}
  AND ($2::bigint IS NULL OR at >= $2) AND ($3::bigint IS NULL OR at < $3)
  AND ($5::bigint IS NULL OR (at, key, kind, place) < ($5::bigint, $6::text, $7::text, $8::bigint))
ORDER BY words.at DESC, key DESC, kind DESC, words.place DESC LIMIT ${PAGE}`;

/** Finds conversations by what was said in them, for operators. */
export class PostgresConversationSearch implements ConversationFinder {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async *find(filter: TurnFilter): AsyncGenerator<FoundConversation, void, undefined> {
    const holdsText = textTest(filter.text);
    const latestFirst = new LatestFirst(await this.#findByPeople(filter));
    for await (const { id, at, latest, input, response } of this.#read(filter)) {
      const key = id as ConversationKey;
      if (latestFirst.has(key) || !holdsText(input, response)) continue;
      yield* latestFirst.upTo({ key, at, latest: latest as TurnKey });
    }
    yield* latestFirst.rest();
  }

  async #findByPeople(filter: TurnFilter): Promise<FoundConversation[]> {
    if (!mayMeetPeople(filter)) return [];
    const { bot, since, until, text } = filter;
    const holdsText = textTest(text);
    const found: FoundConversation[] = [];
    let last: (PeoplesWordsRow & { place: number }) | undefined;
    for (;;) {
      const behind = last ? [last.at, last.key, last.kind, last.place] : [null, null, null, null];
      const values = [bot ?? null, since ?? null, until ?? null, text !== undefined, ...behind];
      const rows = await this.#pool.query<NonNullable<typeof last>>(PEOPLES_WORDS, values);
      const meant = rows.filter((row) => holdsText(...textsOfRow(row)));
      found.push(...meant.map(({ key, at }) => ({ key, at })));
      last = rows.at(-1);
      if (rows.length < PAGE) return found;
    }
  }

  async findKey(id: string): Promise<ConversationKey | undefined> {
    const found = await this.#pool.query("SELECT 1 FROM conversations WHERE id = $1", [id]);
    return found.length > 0 ? (id as ConversationKey) : undefined;
  }

  async summarise(found: readonly FoundConversation[]): Promise<ConversationSummary[]> {
    const latest = found.flatMap((conversation) => conversation.latest ?? []).map(String);
    const asked = found
      .filter((conversation) => conversation.latest === undefined)
      .map(({ key }) => String(key));
    const turns = await this.#pool.query<SummaryRow>(SUMMARISE, [new List(latest)]);
    const forms = await this.#pool.query<AskedRow>(SUMMARISE_ASKED, [new List(asked)]);
    const byId = new Map<string, SummaryRow | AskedRow>(
      [...turns, ...forms].map((row) => [row.conversationId, row]),
    );
    return found.flatMap(({ key, at }) => {
      const row = byId.get(String(key));
      if (!row) return [];
      return ["fields" in row ? summaryOfAsked(row, at) : toSummary(row)];
    });
  }

  async *#read(filter: TurnFilter): AsyncGenerator<FilteredRow, void, undefined> {
    const text = filter.text === undefined ? PAGE_WITHOUT_TEXTS : PAGE_WITH_TEXTS;
    let last: FilteredRow | undefined;
    for (;;) {
      const behind = last ? [last.at, last.id, last.number] : [null, null, null];
      const rows = await this.#pool.query<FilteredRow>(text, [...parametersOf(filter), ...behind]);
      yield* rows;
      last = rows.at(-1);
      if (rows.length < PAGE) return;
    }
  }
}

function parametersOf({ bot, since, until, outcome, intent }: TurnFilter): Parameter[] {
  const isPrefix = intent?.endsWith(".*") ?? false;
  return [
    bot ?? null,
    since ?? null,
    until ?? null,
    outcome ?? null,
    isPrefix ? null : (intent ?? null),
    isPrefix && intent !== undefined ? intent.slice(0, -1) : null,
  ];
}
