/** Tables that are copied in neither direction. */
export const LEFT_OUT = {
  /** Only meaningful to the servers of one database. Operators sign in again after a copy. Empty in a copy that no server has used. */
  servers: [
    "turns_in_flight",
    "instances",
    "write_probe",
    "sign_in_links",
    "operator_sessions",
    "asset_files",
    "asset_contents",
    "asset_builds",
    // PostgreSQL's position of counting; SQLite derives it from the keys of turns.
    "turn_counting",
  ],
  /** Turns that are not counted yet. Either store fills it when turns are inserted. */
  awaited: ["awaited_turns"],
  /** The word index of turns, which PostgreSQL keeps in the turn's row. Either store builds it again from the texts. */
  words: ["turn_words", "turn_blocks", "erased_places"],
  /** PostgreSQL's schema version, and the progress of a copy. */
  notes: ["parley_schema", "parley_copy"],
};

/** Rows that SQLite refers to by an integer, and PostgreSQL by an id. */
export const REFERENCES = [
  { key: "conversation_key", name: "conversation_id", table: "conversations", id: "id" },
  { key: "turn_key", name: "request_id", table: "turns", id: "request_id" },
  { key: "intent_model", name: "intent_model", table: "intent_models", id: "id" },
] as const;

/** Columns that only PostgreSQL has, filled by its own statements. */
export const POSTGRES_ALONE: readonly string[] = ["counted_turns.words", "monthly_usage.granted"];

/** A turn's place in its conversation. SQLite derives it from the order of keys; rows are read in the same order. */
export const TURN_NUMBER = {
  column: "turns.number",
  sqlite: "row_number() OVER (PARTITION BY turns.conversation_key ORDER BY turns.key)",
};

/** The order in which SQLite's rows are read, if not by the primary key. An index provides it. */
export const SQLITE_ORDER: Readonly<Record<string, string>> = { turns: "turns.conversation_key, turns.key" };

/** Approximate order of arrival: clocks of servers differ, but turns of one conversation keep their order. */
const ARRIVAL =
  "max(turns.at) OVER (PARTITION BY turns.conversation_id ORDER BY turns.number), turns.conversation_id, turns.number";

/** The order in which PostgreSQL's rows are inserted into SQLite, if not by the primary key. */
export const POSTGRES_ORDER: Readonly<Record<string, string>> = { turns: ARRIVAL };

/** SQLite's expressions for columns with values that PostgreSQL would refuse. */
export const SQLITE_EXPRESSIONS: Readonly<Record<string, string>> = {
  // A version of Parley before this one could store larger counts; they are read as this one.
  "monthly_usage.model_tokens": `min(monthly_usage.model_tokens, ${Number.MAX_SAFE_INTEGER})`,
};

/** JSON columns. Both engines store JSON as text; PostgreSQL also parses it, and refuses a character 0 in it. */
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

/** The table whose numbers SQLite never uses again, and which PostgreSQL counts in `turn_counting`. */
export const PLACED_TURNS = "counted_turns";
