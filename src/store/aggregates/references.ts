import { byEngine } from "../sql/sql.ts";

// SQLite refers to conversations and turns by integer keys; PostgreSQL refers to them by their ids.

/** The column that refers to a conversation, and the column of `conversations` that it refers to. */
export const CONVERSATION = byEngine({ sqlite: "conversation_key", postgres: "conversation_id" });
export const CONVERSATION_KEY = byEngine({ sqlite: "conversations.key", postgres: "conversations.id" });

/** The column that refers to a turn, and the column of `turns` that it refers to. */
export const TURN = byEngine({ sqlite: "turn_key", postgres: "request_id" });
export const TURN_KEY = byEngine({ sqlite: "turns.key", postgres: "turns.request_id" });

/** Key column of turns, for any alias of `turns`. */
export const KEY = byEngine({ sqlite: "key", postgres: "request_id" });

/** Column with a turn's place in its conversation, for any alias of `turns`. */
export const PLACE = byEngine({ sqlite: "key", postgres: "number" });
/** Turns of one conversation, in their order. */
export const TURN_PLACE = byEngine({ sqlite: "turns.key", postgres: "turns.number" });
