-- Integer keys inside, opaque ids outside. Instants are milliseconds since 1970 (UTC).
-- Each index on the tables of the chat path is one more page in every message's commit.

-- Trained intent models, named by what they were trained from: bots with the same intents share one.
CREATE TABLE intent_models (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- Since when no bot has it; a running server may still be about to open it.
  unused_since INTEGER,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE bots (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  version INTEGER NOT NULL,
  -- Of the current version; NULL until it is trained.
  intent_model TEXT REFERENCES intent_models (id),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX bots_by_intent_model ON bots (intent_model);

-- Every version stays, so that a turn can be explained by the bot that answered it.
CREATE TABLE bot_versions (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  bot_key INTEGER NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  document TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (bot_key, version)
) STRICT;

-- One row. Every change to bots or embed tokens adds one, and running servers reload.
CREATE TABLE registry (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  generation INTEGER NOT NULL
) STRICT;

INSERT INTO registry (key, generation) VALUES (1, 0);

-- Rewritten by /readyz, with as much as a long message takes: a disk may have room for one page and none for an answer.
CREATE TABLE write_probe (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  padding BLOB NOT NULL
) STRICT;

CREATE TABLE embed_tokens (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE,
  label TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE TABLE embed_token_bots (
  embed_token_key INTEGER NOT NULL REFERENCES embed_tokens (key) ON DELETE CASCADE,
  bot_key INTEGER NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  PRIMARY KEY (embed_token_key, bot_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX embed_token_bots_by_bot ON embed_token_bots (bot_key);

CREATE TABLE conversations (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  bot_key INTEGER NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX conversations_by_bot_and_time ON conversations (bot_key, created_at);

-- One row a turn: the visitor's message, the answer, its metadata and its receipt.
CREATE TABLE turns (
  key INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL UNIQUE,
  conversation_key INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
  bot_version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('complete', 'unanswered', 'cut')),
  at INTEGER NOT NULL,
  input TEXT NOT NULL,
  response TEXT NOT NULL,
  intent TEXT,
  capability_allowed INTEGER NOT NULL CHECK (capability_allowed IN (0, 1)),
  enforcement_reason TEXT,
  schema_enforced INTEGER NOT NULL CHECK (schema_enforced IN (0, 1)),
  schema_fallback_used INTEGER NOT NULL CHECK (schema_fallback_used IN (0, 1)),
  schema_validation_error TEXT,
  -- Which of the intent's responses was used; NULL where none was.
  response_index INTEGER,
  receipt TEXT NOT NULL
) STRICT;

CREATE INDEX turns_by_conversation ON turns (conversation_key);

-- Turns whose answer is still to come, and where their message is counted. What a crash leaves here is given back.
-- Few at any time: whoever looks for a bot's reads them all.
CREATE TABLE turns_in_flight (
  turn_key INTEGER PRIMARY KEY REFERENCES turns (key) ON DELETE CASCADE,
  bot_key INTEGER NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  month TEXT NOT NULL
) STRICT;

CREATE TABLE monthly_usage (
  bot_key INTEGER NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  month TEXT NOT NULL,
  messages INTEGER NOT NULL CHECK (messages >= 0),
  -- Prompt and completion tokens of models.
  model_tokens INTEGER NOT NULL DEFAULT 0 CHECK (model_tokens >= 0),
  PRIMARY KEY (bot_key, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_records (
  embed_token_key INTEGER NOT NULL REFERENCES embed_tokens (key) ON DELETE CASCADE,
  key_hash BLOB NOT NULL,
  body_hash BLOB NOT NULL,
  turn_key INTEGER NOT NULL REFERENCES turns (key) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  PRIMARY KEY (embed_token_key, key_hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_records_by_turn ON idempotency_records (turn_key);
CREATE INDEX idempotency_records_by_time ON idempotency_records (at);

-- What model servers made of example messages, so that each is sent once. Vectors are little-endian 32-bit floats.
CREATE TABLE embeddings (
  model TEXT NOT NULL,
  text_hash BLOB NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (model, text_hash)
) STRICT, WITHOUT ROWID;
