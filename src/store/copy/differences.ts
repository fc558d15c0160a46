/** Tables that are copied in neither direction. */
export const LEFT_OUT = {
  /** Of use to the servers of one database alone; operators sign in anew. Empty in a copy that no server has used. */
  servers: [
    "turns_in_flight",
    "instances",
    "write_probe",
    "sign_in_links",
    "operator_sessions",
    "asset_files",
    "asset_contents",
    "asset_builds",
    // PostgreSQL's: how far counting is; SQLite sees it by the keys of turns.
    "turn_counting",
  ],
  /** Turns that are still to be counted. Either store notes them by itself when it gets turns. */
  awaited: ["awaited_turns"],
  /** The words of turns, which PostgreSQL keeps with the turn. Either store makes them anew from the texts. */
  words: ["turn_words", "turn_blocks", "erased_places"],
  /** PostgreSQL's version of the schema, and how far a copy is. */
  notes: ["parley_schema", "parley_copy"],
};

/** Rows that SQLite refers to by an integer, and PostgreSQL by an id. */
export const REFERENCES = [
  { key: "conversation_key", name: "conversation_id", table: "conversations", id: "id" },
  { key: "turn_key", name: "request_id", table: "turns", id: "request_id" },
  { key: "intent_model", name: "intent_model", table: "intent_models", id: "id" },
] as const;

/** Columns of PostgreSQL's alone, which its own statements fill. */
export const POSTGRES_ALONE: readonly string[] = ["counted_turns.words", "monthly_usage.granted"];

/** A turn's place in its conversation, which in SQLite follows from the order of keys; rows are read in the same order. */
export const TURN_NUMBER = {
  column: "turns.number",
  sqlite: "row_number() OVER (PARTITION BY turns.conversation_key ORDER BY turns.key)",
};

/** The order in which SQLite's rows are read, where it is not that of the primary key. An index has it. */
export const SQLITE_ORDER: Readonly<Record<string, string>> = { turns: "turns.conversation_key, turns.key" };

/** In the order of their arrival, about: the clocks of servers differ, and the turns of a conversation keep their order. */
const ARRIVAL =
  "max(turns.at) OVER (PARTITION BY turns.conversation_id ORDER BY turns.number), turns.conversation_id, turns.number";

/** The order in which SQLite is given PostgreSQL's rows, where it is not that of the primary key. */
export const POSTGRES_ORDER: Readonly<Record<string, string>> = { turns: ARRIVAL };

/** SQLite's expressions for columns whose values PostgreSQL would not take. */
export const SQLITE_EXPRESSIONS: Readonly<Record<string, string>> = {
  // Larger counts, which an earlier version could store, are read as this one.
  "monthly_usage.model_tokens": `min(monthly_usage.model_tokens, ${Number.MAX_SAFE_INTEGER})`,
};

/** Both engines keep JSON as text; PostgreSQL takes it apart, and refuses a character 0 in it. */
export const JSON_COLUMNS: ReadonlySet<string> = new Set([
  "bot_rows.limits",
  "bot_versions.document",
  "turns.receipt",
  "turns.subject",
  "turns.action",
  "changes.bots",
  "changes.fields",
  "knowledge_sources.entry",
  "knowledge_sources.outcome",
  "knowledge_passages.heading_path",
  "operator_keys.permissions",
  "handoffs.fields",
  "server_starts.settings",
]);

/** The table whose numbers SQLite never gives twice, and PostgreSQL counts in `turn_counting`. */
export const PLACED_TURNS = "counted_turns";
