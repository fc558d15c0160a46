import type { Database } from "better-sqlite3";

import type { ChatMetadata } from "../domain/chat.ts";
import type { DecisionRule, RestrictionReason } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { EpochMs } from "../domain/time.ts";
import type { BotKey } from "./bots.ts";

/** How many turns were decided in one way. */
export interface DecisionCount {
  /** What the visitor got. */
  decision: "allowed" | NonNullable<ChatMetadata["enforcementReason"]>;
  intent: IntentName | null;
  /** In observe mode: what enforcement would have answered; null where it would have done the same. */
  wouldReason: RestrictionReason | null;
  wouldIntent: IntentName | null;
  turns: number;
}

/** A message that no intent matched. */
export interface UnmatchedMessage {
  input: string;
  /** What came closest; null where nothing did. */
  closest: IntentName | null;
}

/** The rules of turns whose message matched nothing, whether or not a default intent answered. */
const UNMATCHED_RULES: readonly DecisionRule[] = ["no-match", "default-intent"];

const TURNS_OF_BOT = `
  FROM turns JOIN conversations ON conversations.key = conversation_key
  WHERE bot_key = ? AND turns.at >= ?`;

/** Sums over stored turns, for operators; never on the path of a message. Results are bounded, whatever was stored. */
export class AuditStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The ways in which turns since an instant were decided, most frequent first. */
  countDecisions(bot: BotKey, since: EpochMs): DecisionCount[] {
    return this.#db
      .prepare<[BotKey, EpochMs], DecisionCount>(`
        SELECT coalesce(enforcement_reason, 'allowed') AS decision, intent,
          receipt ->> '$.wouldRestrict.reason' AS wouldReason,
          receipt ->> '$.wouldRestrict.intent' AS wouldIntent,
          count(*) AS turns
        ${TURNS_OF_BOT}
        GROUP BY 1, 2, 3, 4 ORDER BY turns DESC, 1, 2`)
      .all(bot, since);
  }

  countUnmatched(bot: BotKey, since: EpochMs): number {
    const sql = `SELECT count(*) ${TURNS_OF_BOT} AND ${IS_UNMATCHED}`;
    return this.#db.prepare<[BotKey, EpochMs], number>(sql).pluck().get(bot, since) ?? 0;
  }

  /** At most `limit`, latest first. */
  listUnmatched(bot: BotKey, since: EpochMs, limit: number): UnmatchedMessage[] {
    return this.#db
      .prepare<[BotKey, EpochMs, number], UnmatchedMessage>(`
        SELECT input, receipt ->> '$.readings[0].scores[0].intent' AS closest
        ${TURNS_OF_BOT} AND ${IS_UNMATCHED}
        ORDER BY turns.key DESC LIMIT ?`)
      .all(bot, since, limit);
  }
}

const IS_UNMATCHED = `receipt ->> '$.rule' IN (${UNMATCHED_RULES.map((rule) => `'${rule}'`).join(", ")})`;
