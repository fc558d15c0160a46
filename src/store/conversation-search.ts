import type { Database } from "better-sqlite3";

import type { TurnOutcome } from "../domain/conversation.ts";
import type { IntentName, RequestId } from "../domain/ids.ts";
import type { EpochMs } from "../domain/time.ts";
import type {
  ConversationKey,
  ConversationSummary,
  FoundConversation,
  TurnFilter,
  TurnKey,
} from "./interface/conversations.ts";

export interface SummaryRow extends Omit<ConversationSummary, "latest"> {
  requestId: RequestId;
  at: EpochMs;
  input: string;
  intent: IntentName | null;
  outcome: TurnOutcome;
}

interface FilteredRow extends FoundConversation {
  input?: string;
  response?: string;
}

/** Finds conversations by their turns, for operators; never on the path of a message. */
export class ConversationSearch {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Conversations with a turn that the filter lets through, the one with the latest such turn first. Read as far as is asked for: a
   * write of this connection has to wait for the end.
   */
  *find(filter: TurnFilter): Generator<FoundConversation, void, undefined> {
    const { sql, parameters } = selectTurns(filter);
    const holdsText = textTest(filter.text);
    const seen = new Set<ConversationKey>();
    for (const row of this.#db.prepare<unknown[], FilteredRow>(sql).iterate(...parameters)) {
      if (seen.has(row.key) || !holdsText(row)) continue;
      seen.add(row.key);
      yield { key: row.key, latest: row.latest };
    }
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
    return found.flatMap(({ latest }) => {
      const row = summary.get(latest);
      return row ? [toSummary(row)] : [];
    });
  }
}

/** The turns that a filter lets through, its text aside, latest first. Turns are read by their time, and not by way of the bot. */
function selectTurns(filter: TurnFilter): { sql: string; parameters: unknown[] } {
  const conditions = conditionsOf(filter);
  const texts = filter.text === undefined ? "" : ", input, response";
  const sql = `
    SELECT conversation_key AS key, turns.key AS latest${texts}
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

/** Whether a turn holds a text, in whatever case. */
export function textTest(text: string | undefined): (row: { input?: string; response?: string }) => boolean {
  if (text === undefined) return () => true;
  const wanted = foldCase(text);
  return ({ input = "", response = "" }) =>
    foldCase(input).includes(wanted) || foldCase(response).includes(wanted);
}

/** Not by SQLite's `LIKE`, to which "Ö" and "ö" are two letters. */
function foldCase(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

export function toSummary({
  requestId,
  at,
  input,
  intent,
  outcome,
  ...conversation
}: SummaryRow): ConversationSummary {
  return { ...conversation, latest: { requestId, at, input, intent, outcome } };
}
