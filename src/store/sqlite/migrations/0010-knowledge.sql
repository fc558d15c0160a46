-- Documents that bots answer from. `generation` grows with every change, and running servers read their indexes anew.
CREATE TABLE knowledge (
  bot_key INTEGER PRIMARY KEY REFERENCES bots (key) ON DELETE CASCADE,
  generation INTEGER NOT NULL
) STRICT;

-- What documents are read from, and how that went the last time.
CREATE TABLE knowledge_sources (
  bot_key INTEGER NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  -- As the operator wrote it.
  name TEXT NOT NULL,
  -- Its place among the bot's sources.
  place INTEGER NOT NULL,
  -- 'bot-file': the bot file names it; 'command': `knowledge add` did, and `seed` leaves it alone.
  origin TEXT NOT NULL CHECK (origin IN ('bot-file', 'command')),
  -- What its path is counted from, and outside which nothing is read.
  folder TEXT NOT NULL,
  -- JSON: the entry as a bot file has it.
  entry TEXT NOT NULL,
  -- JSON: when it was read, and what could not be; NULL before the first time.
  outcome TEXT,
  PRIMARY KEY (bot_key, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE knowledge_documents (
  key INTEGER PRIMARY KEY,
  bot_key INTEGER NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  id TEXT NOT NULL,
  source TEXT NOT NULL,
  -- Path or address, for operators.
  place TEXT NOT NULL,
  title TEXT NOT NULL,
  url TEXT,
  hash TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  stored_at INTEGER NOT NULL,
  -- A large document is written and deleted in steps: 0 before its last passage is there, and once another has taken its place.
  is_live INTEGER NOT NULL CHECK (is_live IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX knowledge_documents_live ON knowledge_documents (bot_key, id) WHERE is_live = 1;
CREATE INDEX knowledge_documents_by_bot ON knowledge_documents (bot_key);

-- AUTOINCREMENT: indexes in memory know passages by their keys, which must never mean another one.
CREATE TABLE knowledge_passages (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  document_key INTEGER NOT NULL REFERENCES knowledge_documents (key) ON DELETE CASCADE,
  -- JSON: the headings that it stands under.
  heading_path TEXT NOT NULL,
  anchor TEXT,
  body TEXT NOT NULL,
  -- What it is found by, and the version of Parley's terms: others are made anew from the text.
  terms BLOB NOT NULL,
  terms_version INTEGER NOT NULL
) STRICT;

CREATE INDEX knowledge_passages_by_document ON knowledge_passages (document_key);
