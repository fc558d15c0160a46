-- See the migration of the SQLite store.
ALTER TABLE deliveries ALTER COLUMN conversation_id DROP NOT NULL;
ALTER TABLE deliveries ADD COLUMN bot_key bigint REFERENCES bots (key) ON DELETE CASCADE;
UPDATE deliveries SET bot_key = conversations.bot_key FROM conversations WHERE conversations.id = conversation_id;
ALTER TABLE deliveries ALTER COLUMN bot_key SET NOT NULL;

DROP INDEX deliveries_due;
CREATE INDEX deliveries_due ON deliveries (event, next_at, target) WHERE next_at IS NOT NULL;
CREATE INDEX deliveries_by_bot ON deliveries (bot_key);
CREATE UNIQUE INDEX deliveries_once ON deliveries (target, event, subject, bot_key)
  WHERE event IN ('cap.near', 'turn.refused', 'turn.unmatched');
CREATE INDEX deliveries_of_turns_ended ON deliveries (target, ended_at)
  WHERE event IN ('turn.refused', 'turn.unmatched') AND ended_at IS NOT NULL;

CREATE TABLE event_starts (
  target text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (target, event)
);

ALTER TABLE monthly_usage ADD COLUMN told_cap bigint;
