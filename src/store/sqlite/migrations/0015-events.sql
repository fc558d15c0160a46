-- A delivery may tell of a bot, and of no conversation: `conversation_key` is NULL then. SQLite changes no column, so the table is made anew.
CREATE TABLE next_deliveries (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  channel TEXT NOT NULL CHECK (channel IN ('webhook', 'mail')),
  -- A name of the server's configuration, or an address.
  target TEXT NOT NULL,
  event TEXT NOT NULL,
  bot_key INTEGER NOT NULL REFERENCES bots (key) ON DELETE CASCADE,
  conversation_key INTEGER REFERENCES conversations (key) ON DELETE CASCADE,
  -- The id of a hand-off, or of a request; of a cap, month and cap.
  subject TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'given-up')),
  attempts INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- NULL: it has ended.
  next_at INTEGER,
  ended_at INTEGER,
  error TEXT
) STRICT;

INSERT INTO next_deliveries
SELECT deliveries.key, deliveries.id, channel, target, event, bot_key, conversation_key, subject, state, attempts,
  deliveries.created_at, next_at, ended_at, error
FROM deliveries JOIN conversations ON conversations.key = conversation_key ORDER BY deliveries.key;

DROP TABLE deliveries;
ALTER TABLE next_deliveries RENAME TO deliveries;

-- With the target, so that what waits for a webhook is counted without the rows.
CREATE INDEX deliveries_due ON deliveries (event, next_at, target) WHERE next_at IS NOT NULL;
CREATE INDEX deliveries_ended ON deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX deliveries_by_conversation ON deliveries (conversation_key);
CREATE INDEX deliveries_by_bot ON deliveries (bot_key);

-- A webhook is told of a turn, or of a cap, once.
CREATE UNIQUE INDEX deliveries_once ON deliveries (target, event, subject, bot_key)
  WHERE event IN ('cap.near', 'turn.refused', 'turn.unmatched');
-- Of events of turns, only so many that have ended are kept.
CREATE INDEX deliveries_of_turns_ended ON deliveries (target, ended_at)
  WHERE event IN ('turn.refused', 'turn.unmatched') AND ended_at IS NOT NULL;

-- Since when a webhook is told of an event of turns: not of what was before it was configured.
CREATE TABLE event_starts (
  target TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (target, event)
) STRICT, WITHOUT ROWID;

-- The highest cap of the month of which teams were told that it is nearly used up; NULL: none.
ALTER TABLE monthly_usage ADD COLUMN told_cap INTEGER;
