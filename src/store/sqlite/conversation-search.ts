import type { Database } from "better-sqlite3";

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
  ConversationKey,
  ConversationSummary,
  FoundConversation,
  TurnFilter,
  TurnKey,
} from "../interface/conversations.ts";

interface FilteredRow extends Required<FoundConversation> {
  input?: string;
  response?: string;
}

/** Finds conversations by what was said in them, for operators; never on the path of a message. */
export class ConversationSearch {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Conversations with something that the filter lets through, the one where that is the latest first. Turns are read as far as is asked
   * for: a write of this connection has to wait for the end.
   */
  *find(filter: TurnFilter): Generator<FoundConversation, void, undefined> {
    const ofBot = this.#db.prepare<[ConversationKey]>(
      "SELECT 1 FROM conversations JOIN bots ON bots.key = bot_key WHERE conversations.key = ?",
    );
    for (const found of this.#findAll(filter)) if (ofBot.get(found.key) !== undefined) yield found;
  }

  /** Those of deleted bots as well. */
  *#findAll(filter: TurnFilter): Generator<FoundConversation, void, undefined> {
    const { sql, parameters } = selectTurns(filter);
    const holdsText = textTest(filter.text);
    const latestFirst = new LatestFirst(this.#findByPeople(filter));
    for (const row of this.#db.prepare<unknown[], FilteredRow>(sql).iterate(...parameters)) {
      const { key, at, latest, input, response } = row;
      if (!latestFirst.has(key) && holdsText(input, response)) yield* latestFirst.upTo({ key, at, latest });
    }
    yield* latestFirst.rest();
  }

  #findByPeople(filter: TurnFilter): FoundConversation[] {
    if (!mayMeetPeople(filter)) return [];
    const { bot, since, until, text } = filter;
    const holdsText = textTest(text);
    const words = this.#db.prepare<unknown[], PeoplesWordsRow>(text === undefined ? FORMS : PEOPLES_WORDS);
    const found: FoundConversation[] = [];
    for (const row of words.iterate({
      bot: bot ?? null,
      since: since ?? null,
      until: until ?? null,
    }))
      if (holdsText(...textsOfRow(row))) found.push({ key: row.key, at: row.at });
    return found;
  }

  findKey(id: string): ConversationKey | undefined {
    return this.#db
      .prepare<[string], ConversationKey>("SELECT key FROM conversations WHERE id = ?")
      .pluck()
      .get(id);
  }

  /** What a list shows of what was found, in the same order; what has been deleted since is left out. */
  summarise(found: readonly FoundConversation[]): ConversationSummary[] {
    const summary = this.#db.prepare<[TurnKey], SummaryRow>(`
      SELECT conversations.id AS conversationId, bots.id AS botId, conversations.created_at AS startedAt,
        (SELECT count(*) FROM turns AS own WHERE own.conversation_key = conversations.key) AS turns,
        request_id AS requestId, at, input, intent, coalesce(enforcement_reason, 'allowed') AS outcome
      FROM turns JOIN conversations ON conversations.key = conversation_key JOIN bots ON bots.key = bot_key
      WHERE turns.key = ?`);
    const asked = this.#db.prepare<[ConversationKey], AskedRow>(`
      SELECT conversations.id AS conversationId, bots.id AS botId, conversations.created_at AS startedAt,
        (SELECT count(*) FROM turns AS own WHERE own.conversation_key = conversations.key) AS turns, fields
      FROM handoffs JOIN conversations ON conversations.key = conversation_key JOIN bots ON bots.key = bot_key
      WHERE conversations.key = ? ORDER BY handoffs.key DESC LIMIT 1`);
    return found.flatMap(({ key, at, latest }) => {
      const turn = latest === undefined ? undefined : summary.get(latest);
      const form = latest === undefined ? asked.get(key) : undefined;
      return [...(turn ? [toSummary(turn)] : []), ...(form ? [summaryOfAsked(form, at)] : [])];
    });
  }
}

const OF_FILTER = `
  (@bot IS NULL OR EXISTS (SELECT 1 FROM conversations WHERE conversations.key = conversation_key AND bot_key = @bot))
  AND (@since IS NULL OR at >= @since) AND (@until IS NULL OR at < @until)`;

const SELECT_FORMS =
  "SELECT conversation_key, created_at AS at, 'form' AS kind, fields AS text FROM handoffs";

const selectWords = (words: string) => `
  SELECT conversation_key AS key, at, kind, text FROM (${words}) WHERE ${OF_FILTER} ORDER BY at DESC, key DESC`;

const FORMS = selectWords(SELECT_FORMS);

const PEOPLES_WORDS = selectWords(`
  ${SELECT_FORMS} UNION ALL SELECT conversation_key, at, 'said', text FROM handoff_events WHERE kind <> 'state'`);

/** The turns that a filter lets through, its text aside, latest first. Turns are read by their time, and not by way of the bot. */
function selectTurns(filter: TurnFilter): { sql: string; parameters: unknown[] } {
  const conditions = conditionsOf(filter);
  const texts = filter.text === undefined ? "" : ", input, response";
  const sql = `
    SELECT conversation_key AS key, at, turns.key AS latest${texts}
    FROM turns ${filter.bot === undefined ? "" : "CROSS JOIN conversations ON conversations.key = conversation_key"}
    ${conditions.length > 0 ? `WHERE ${conditions.map(([condition]) => condition).join(" AND ")}` : ""}
    ORDER BY at DESC, conversation_key DESC`;
  return { sql, parameters: conditions.flatMap(([, ...parameters]) => parameters) };
}

/** Conditions of SQL, each with the values that it is about. */
function conditionsOf({ bot, since, until, outcome, intent }: TurnFilter): [string, ...unknown[]][] {
  const conditions: [string, ...unknown[]][] = [];
  if (bot !== undefined) conditions.push(["bot_key = ?", bot]);
  if (since !== undefined) conditions.push(["at >= ?", since]);
  if (until !== undefined) conditions.push(["at < ?", until]);
  if (outcome === "allowed") conditions.push(["enforcement_reason IS NULL"]);
  else if (outcome !== undefined) conditions.push(["enforcement_reason = ?", outcome]);
  if (intent?.endsWith(".*")) conditions.push(["intent GLOB ?", intent]);
  else if (intent !== undefined) conditions.push(["intent = ?", intent]);
  return conditions;
}
