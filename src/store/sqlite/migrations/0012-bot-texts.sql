-- What a version was published as. A version from before was seeded from a file whose text is not known.
ALTER TABLE bot_versions ADD COLUMN yaml TEXT;
-- 'file': by `seed`; 'console': by the operator API, and `seed` replaces it only when it is told to.
ALTER TABLE bot_versions ADD COLUMN origin TEXT NOT NULL DEFAULT 'file' CHECK (origin IN ('file', 'console'));
-- NULL: not known.
ALTER TABLE bot_versions ADD COLUMN published_by TEXT;
ALTER TABLE bot_versions ADD COLUMN note TEXT;
-- The version that this one takes back to.
ALTER TABLE bot_versions ADD COLUMN restored_from INTEGER;

-- What is being edited and not published.
CREATE TABLE bot_drafts (
  bot_key INTEGER PRIMARY KEY REFERENCES bots (key) ON DELETE CASCADE,
  -- Grows with every change, and never comes back.
  revision INTEGER NOT NULL,
  yaml TEXT NOT NULL,
  -- The version that was looked at when it was begun.
  base_version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;

-- A third origin, 'upload': a document that an operator gave to the server, whose folder is empty. SQLite changes no constraint in place.
CREATE TABLE knowledge_sources_with_uploads (
  bot_key INTEGER NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  name TEXT NOT NULL,
  place INTEGER NOT NULL,
  origin TEXT NOT NULL CHECK (origin IN ('bot-file', 'command', 'upload')),
  folder TEXT NOT NULL,
  entry TEXT NOT NULL,
  outcome TEXT,
  PRIMARY KEY (bot_key, name)
) STRICT, WITHOUT ROWID;

INSERT INTO knowledge_sources_with_uploads SELECT * FROM knowledge_sources;
DROP TABLE knowledge_sources;
ALTER TABLE knowledge_sources_with_uploads RENAME TO knowledge_sources;
