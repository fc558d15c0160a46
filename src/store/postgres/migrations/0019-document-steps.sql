-- A large document is written and deleted in steps. Servers of an earlier version, until they are replaced, store documents that are live.
ALTER TABLE knowledge_documents ADD COLUMN stored_at bigint NOT NULL DEFAULT 0;
-- false: its last passage is not there yet, or another has taken its place.
ALTER TABLE knowledge_documents ADD COLUMN is_live boolean NOT NULL DEFAULT true;
ALTER TABLE knowledge_documents DROP CONSTRAINT knowledge_documents_bot_key_id_key;
CREATE UNIQUE INDEX knowledge_documents_live ON knowledge_documents (bot_key, id) WHERE is_live;
CREATE INDEX knowledge_documents_by_bot ON knowledge_documents (bot_key);
