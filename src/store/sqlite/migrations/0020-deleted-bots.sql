-- To delete a bot takes one commit; what it leaves, its conversations above all, goes in small steps afterwards. So that no query finds a
-- deleted bot meanwhile, `bots` becomes a view of those that are not deleted. Writes go to `bot_rows`.
ALTER TABLE bots RENAME TO bot_rows;

-- The id that a deleted bot had: `id` is free for a new one. NULL: not deleted.
ALTER TABLE bot_rows ADD COLUMN deleted_as TEXT;

CREATE INDEX bot_rows_deleted ON bot_rows (key) WHERE deleted_as IS NOT NULL;

CREATE VIEW bots AS
SELECT key, id, enabled, version, intent_model, limits, created_at, updated_at FROM bot_rows WHERE deleted_as IS NULL;
