-- What the names mean is said in 0012-bot-texts of the SQLite store.
ALTER TABLE bot_versions ADD COLUMN yaml text;
ALTER TABLE bot_versions ADD COLUMN origin text NOT NULL DEFAULT 'file' CHECK (origin IN ('file', 'console'));
ALTER TABLE bot_versions ADD COLUMN published_by text;
ALTER TABLE bot_versions ADD COLUMN note text;
ALTER TABLE bot_versions ADD COLUMN restored_from bigint;

CREATE TABLE bot_drafts (
  bot_key bigint PRIMARY KEY REFERENCES bots (key) ON DELETE CASCADE,
  revision bigint NOT NULL,
  yaml text NOT NULL,
  base_version bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text NOT NULL
);

ALTER TABLE knowledge_sources DROP CONSTRAINT knowledge_sources_origin_check;
ALTER TABLE knowledge_sources ADD CONSTRAINT knowledge_sources_origin_check
  CHECK (origin IN ('bot-file', 'command', 'upload'));
