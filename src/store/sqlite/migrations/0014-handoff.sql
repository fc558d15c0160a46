-- What visitors think of answers. The last one counts.
CREATE TABLE ratings (
  turn_key INTEGER PRIMARY KEY REFERENCES turns (key) ON DELETE CASCADE,
  rating TEXT NOT NULL CHECK (rating IN ('up', 'down')),
  -- In the visitor's words; NULL where none were given, or texts are not stored.
  reason TEXT,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX ratings_by_time ON ratings (at);

-- Visitors who asked for a person. What they wrote goes with the conversation.
CREATE TABLE handoffs (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  conversation_key INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('open', 'live', 'closed')),
  -- JSON: name, email, phone, message.
  fields TEXT NOT NULL,
  shares_transcript INTEGER NOT NULL CHECK (shares_transcript IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- SHA-256 of token and Idempotency-Key, and of the body; NULL without a key.
  key_hash BLOB,
  body_hash BLOB,
  -- While it is live: who writes, and until when the bot is silent.
  operator TEXT,
  live_until INTEGER
) STRICT;

-- A conversation has one open hand-off at most.
CREATE UNIQUE INDEX handoffs_open ON handoffs (conversation_key) WHERE state <> 'closed';
CREATE INDEX handoffs_by_conversation ON handoffs (conversation_key);
CREATE UNIQUE INDEX handoffs_by_idempotency_key ON handoffs (key_hash) WHERE key_hash IS NOT NULL;

-- What teams are to be told of: by webhook or e-mail. No text of a visitor: what is told is read when it is told.
CREATE TABLE deliveries (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  channel TEXT NOT NULL CHECK (channel IN ('webhook', 'mail')),
  -- A name of the server's configuration, or an address.
  target TEXT NOT NULL,
  event TEXT NOT NULL,
  conversation_key INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
  -- The id of a hand-off, or of a request.
  subject TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'given-up')),
  attempts INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- NULL: it has ended.
  next_at INTEGER,
  ended_at INTEGER,
  error TEXT
) STRICT;

CREATE INDEX deliveries_due ON deliveries (event, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX deliveries_ended ON deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX deliveries_by_conversation ON deliveries (conversation_key);

-- What was said while a person wrote, and when one came and went. `number` is its place in the conversation.
CREATE TABLE handoff_events (
  conversation_key INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('visitor', 'operator', 'state')),
  -- The operator's.
  name TEXT,
  -- What was said; of a state, its name.
  text TEXT NOT NULL,
  -- SHA-256 of an operator's Idempotency-Key and text; NULL without a key.
  key_hash BLOB,
  PRIMARY KEY (conversation_key, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX handoff_events_by_key ON handoff_events (conversation_key, key_hash) WHERE key_hash IS NOT NULL;
-- 1: the bot that is published no longer names it. Nobody is answered from its documents, until it is named again or they are deleted.
ALTER TABLE knowledge_sources ADD COLUMN is_retired INTEGER NOT NULL DEFAULT 0 CHECK (is_retired IN (0, 1));
