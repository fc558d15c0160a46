import { byEngine } from "../sql/sql.ts";

// SQLite numbers conversations and turns, and what belongs to them refers to the number; PostgreSQL refers to their ids.

/** The column that refers to a conversation, and what of `conversations` it refers to. */
export const CONVERSATION = byEngine({ sqlite: "conversation_key", postgres: "conversation_id" });
export const CONVERSATION_KEY = byEngine({ sqlite: "conversations.key", postgres: "conversations.id" });

/** The column that refers to a turn, and what of `turns` it refers to. */
export const TURN = byEngine({ sqlite: "turn_key", postgres: "request_id" });
export const TURN_KEY = byEngine({ sqlite: "turns.key", postgres: "turns.request_id" });

/** What turns are known by, of any alias of `turns`. */
export const KEY = byEngine({ sqlite: "key", postgres: "request_id" });

/** The place of a turn in its conversation, of any alias of `turns`. */
export const PLACE = byEngine({ sqlite: "key", postgres: "number" });
/** Turns of one conversation, in their order. */
export const TURN_PLACE = byEngine({ sqlite: "turns.key", postgres: "turns.number" });
