-- What operators look at: sums and words of turns. Filled behind, in small steps, and never by a message's own commit. A turn is counted
-- exactly when it has a row in `counted_turns`. Turns are counted in their order, so that all up to the last that is counted or awaited are.
CREATE TABLE counted_turns (
  -- In the order in which they were counted; never given again.
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  turn_key INTEGER NOT NULL UNIQUE REFERENCES turns (key) ON DELETE CASCADE,
  conversation_key INTEGER NOT NULL,
  bot_key INTEGER NOT NULL,
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('answered', 'asked', 'unmatched', 'refused', 'failed')),
  intent TEXT
) STRICT;

-- Turns that were passed over, as their answer was still to come.
CREATE TABLE awaited_turns (
  turn_key INTEGER PRIMARY KEY REFERENCES turns (key) ON DELETE CASCADE
) STRICT;

-- Sums hold no text. They stay when conversations are erased.
CREATE TABLE turn_counts (
  bot_key INTEGER NOT NULL,
  bucket TEXT NOT NULL CHECK (bucket IN ('hour', 'day')),
  -- When the bucket begins.
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  -- '': none.
  intent TEXT NOT NULL,
  turns INTEGER NOT NULL,
  PRIMARY KEY (bot_key, bucket, at, outcome, intent)
) STRICT, WITHOUT ROWID;

CREATE INDEX turn_counts_by_time ON turn_counts (bucket, at);

-- Conversations by the hour and the day in which they began.
CREATE TABLE conversation_counts (
  bot_key INTEGER NOT NULL,
  bucket TEXT NOT NULL CHECK (bucket IN ('hour', 'day')),
  at INTEGER NOT NULL,
  conversations INTEGER NOT NULL,
  PRIMARY KEY (bot_key, bucket, at)
) STRICT, WITHOUT ROWID;

CREATE INDEX conversation_counts_by_time ON conversation_counts (bucket, at);

-- Which turns hold a word, in blocks of 2,048 places. Words that begin with U+0001 are facts: bot, outcome, intent.
CREATE TABLE turn_words (
  block INTEGER NOT NULL,
  word TEXT NOT NULL,
  -- Places in the block: 16-bit numbers, or a bitmap where they are 128 or more.
  places BLOB NOT NULL,
  PRIMARY KEY (block, word)
) STRICT, WITHOUT ROWID;

CREATE TABLE turn_blocks (
  block INTEGER PRIMARY KEY,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;

-- Places whose words are still to be taken out: by the transaction that erased them, and else by the next step of counting.
CREATE TABLE erased_places (
  place INTEGER PRIMARY KEY
) STRICT;

CREATE TRIGGER counted_turns_leave_their_words AFTER DELETE ON counted_turns
BEGIN INSERT INTO erased_places (place) VALUES (OLD.place); END;

-- Messages that an operator has dealt with; their texts are not kept here.
CREATE TABLE set_aside_messages (
  bot_key INTEGER NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  -- SHA-256 of the text in the form in which spelling variants are the same.
  text_hash BLOB NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('ignore', 'out-of-scope', 'taught')),
  set_by TEXT NOT NULL,
  set_at INTEGER NOT NULL,
  PRIMARY KEY (bot_key, text_hash)
) STRICT, WITHOUT ROWID;
