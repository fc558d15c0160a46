import { byEngine } from "../sql/sql.ts";

// SQLite numbers conversations and turns, and what belongs to them refers to the number; PostgreSQL refers to their ids.

/** The column that refers to a conversation, and what of `conversations` it refers to. */
export const CONVERSATION = byEngine({ sqlite: "conversation_key", postgres: "conversation_id" });
export const CONVERSATION_KEY = byEngine({ sqlite: "conversations.key", postgres: "conversations.id" });

/** The column that refers to a turn, and what of `turns` it refers to. */
export const TURN = byEngine({ sqlite: "turn_key", postgres: "request_id" });
export const TURN_KEY = byEngine({ sqlite: "turns.key", postgres: "turns.request_id" });

/** Turns of one conversation, in their order. */
export const TURN_PLACE = byEngine({ sqlite: "turns.key", postgres: "turns.number" });

/** Of documents: what SQLite stores step by step is not whole before its last step. PostgreSQL stores a document in one transaction. */
export const IS_WHOLE = byEngine({ sqlite: "is_live = 1", postgres: "true" });
