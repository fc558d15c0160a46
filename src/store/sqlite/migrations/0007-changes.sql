-- What was changed, when, and by whom or what; kept for good. A row is written in the transaction of the change itself. It refers to
-- nothing: bots, tokens and conversations go, and what was done with them stays.
-- May be run twice: a restore of an older database runs it before the migration does.
CREATE TABLE IF NOT EXISTS changes (
  key INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  -- 'user': one of the operating system; 'server': a running server, by itself.
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('user', 'server')),
  actor_name TEXT NOT NULL,
  -- As `bot delete`; NULL where none is known.
  command TEXT,
  kind TEXT NOT NULL,
  -- What was changed: the id of a bot, a token or a conversation, a file.
  subject TEXT NOT NULL,
  -- JSON: the ids of the bots that it concerns.
  bots TEXT NOT NULL,
  -- JSON: what was, and what is, by field.
  fields TEXT NOT NULL,
  -- Fields that are left out, as they would take too much room.
  omitted_fields INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The one sum that grows: conversations that expired on a day.
CREATE UNIQUE INDEX IF NOT EXISTS changes_by_day_of_expiry ON changes (subject, actor_name) WHERE kind = 'conversations.expired';

CREATE TRIGGER IF NOT EXISTS changes_stay_as_they_are BEFORE UPDATE ON changes WHEN OLD.kind <> 'conversations.expired'
BEGIN SELECT RAISE(ABORT, 'changes are never edited'); END;

CREATE TRIGGER IF NOT EXISTS changes_stay BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'changes are never deleted'); END;

-- One row: how often a server has started on this database, and the settings of the latest start.
CREATE TABLE IF NOT EXISTS server_starts (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  starts INTEGER NOT NULL,
  settings TEXT NOT NULL
) STRICT;

INSERT OR IGNORE INTO server_starts (key, starts, settings) VALUES (1, 0, '{}');
