-- Operators of the API and the console, who also answer for changes: the check of `actor_kind` lets them. SQLite has no statement for that,
-- so the table is made anew with all of its rows.
CREATE TABLE changes_with_operators (
  key INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  -- 'user': one of the operating system; 'server': a running server, by itself; 'operator' and 'key': by the operator API.
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('user', 'server', 'operator', 'key')),
  actor_name TEXT NOT NULL,
  -- As `bot delete`, or `PUT /api/v1/bots/:bot`; NULL where none is known.
  command TEXT,
  kind TEXT NOT NULL,
  -- What was changed: the id of a bot, a token or a conversation, a file, the name of an operator.
  subject TEXT NOT NULL,
  -- JSON: the ids of the bots that it concerns.
  bots TEXT NOT NULL,
  -- JSON: what was, and what is, by field.
  fields TEXT NOT NULL,
  -- Fields that are left out, as they would take too much room.
  omitted_fields INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO changes_with_operators SELECT key, at, actor_kind, actor_name, command, kind, subject, bots, fields, omitted_fields FROM changes;
DROP TABLE changes;
ALTER TABLE changes_with_operators RENAME TO changes;

CREATE UNIQUE INDEX changes_by_day_of_expiry ON changes (subject, actor_name) WHERE kind = 'conversations.expired';

CREATE TRIGGER changes_stay_as_they_are BEFORE UPDATE ON changes WHEN OLD.kind <> 'conversations.expired'
BEGIN SELECT RAISE(ABORT, 'changes are never edited'); END;

CREATE TRIGGER changes_stay BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'changes are never deleted'); END;

CREATE TABLE operators (
  key INTEGER PRIMARY KEY,
  -- As it was written; `Ann` and `ann` are one.
  name TEXT NOT NULL COLLATE NOCASE UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
  -- Argon2id with its salt, as PHC string; NULL: signs in by links alone.
  password_hash TEXT,
  created_at INTEGER NOT NULL,
  -- Within a minute; NULL: never signed in.
  last_seen_at INTEGER
) STRICT;

-- One-time links: at most one of each operator, deleted when it is used.
CREATE TABLE sign_in_links (
  operator_key INTEGER PRIMARY KEY REFERENCES operators (key) ON DELETE CASCADE,
  -- SHA-256 of the secret.
  hash BLOB NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE operator_sessions (
  -- SHA-256 of the id that the cookie holds.
  hash BLOB PRIMARY KEY,
  operator_key INTEGER NOT NULL REFERENCES operators (key) ON DELETE CASCADE,
  opened_by TEXT NOT NULL CHECK (opened_by IN ('link', 'password')),
  created_at INTEGER NOT NULL,
  -- Within a minute.
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_key);

CREATE TABLE operator_keys (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- SHA-256 of the key.
  hash BLOB NOT NULL UNIQUE,
  label TEXT NOT NULL,
  -- JSON: names of permissions. Those that its maker no longer has do not count.
  permissions TEXT NOT NULL,
  operator_key INTEGER NOT NULL REFERENCES operators (key) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  -- Within a minute; NULL: never used.
  last_used_at INTEGER
) STRICT;

CREATE INDEX operator_keys_by_operator ON operator_keys (operator_key);
