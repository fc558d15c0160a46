-- What operators look at; see the migration of the SQLite store. Here the words of a turn are a part of its row.

-- One row, once a server has counted. Whoever counts holds it: of several servers, one at a time does.
CREATE TABLE turn_counting (
  key int PRIMARY KEY CHECK (key = 1),
  -- Turns are read from some time before this instant on: another server's may be stored late, or by a clock that is behind.
  counted_at bigint NOT NULL,
  last_place bigint NOT NULL
);

CREATE TABLE counted_turns (
  place bigint PRIMARY KEY,
  request_id text COLLATE "C" NOT NULL UNIQUE REFERENCES turns (request_id) ON DELETE CASCADE,
  conversation_id text COLLATE "C" NOT NULL,
  bot_key bigint NOT NULL,
  at bigint NOT NULL,
  outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('answered', 'asked', 'unmatched', 'refused', 'failed')),
  intent text COLLATE "C",
  -- NULL: they are still to be read, as after `copy`.
  words tsvector
);

CREATE INDEX counted_turns_by_time ON counted_turns (at, place);
CREATE INDEX counted_turns_by_bot ON counted_turns (bot_key, at, place);
CREATE INDEX counted_turns_by_outcome ON counted_turns (outcome, at, place);
CREATE INDEX counted_turns_by_intent ON counted_turns (intent, at, place);
CREATE INDEX counted_turns_by_conversation ON counted_turns (conversation_id, at, place);
CREATE INDEX counted_turns_by_word ON counted_turns USING gin (words);
CREATE INDEX counted_turns_without_words ON counted_turns (place) WHERE words IS NULL;

CREATE TABLE awaited_turns (
  request_id text COLLATE "C" PRIMARY KEY REFERENCES turns (request_id) ON DELETE CASCADE
);

CREATE TABLE turn_counts (
  bot_key bigint NOT NULL,
  bucket text COLLATE "C" NOT NULL CHECK (bucket IN ('hour', 'day')),
  at bigint NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  intent text COLLATE "C" NOT NULL,
  turns bigint NOT NULL,
  PRIMARY KEY (bot_key, bucket, at, outcome, intent)
);

CREATE INDEX turn_counts_by_time ON turn_counts (bucket, at);

CREATE TABLE conversation_counts (
  bot_key bigint NOT NULL,
  bucket text COLLATE "C" NOT NULL CHECK (bucket IN ('hour', 'day')),
  at bigint NOT NULL,
  conversations bigint NOT NULL,
  PRIMARY KEY (bot_key, bucket, at)
);

CREATE INDEX conversation_counts_by_time ON conversation_counts (bucket, at);

CREATE TABLE set_aside_messages (
  bot_key bigint NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  text_hash bytea NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('ignore', 'out-of-scope', 'taught')),
  set_by text NOT NULL,
  set_at bigint NOT NULL,
  PRIMARY KEY (bot_key, text_hash)
);
