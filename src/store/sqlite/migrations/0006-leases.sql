-- Servers that run on this database. `heartbeat` is a number that grows. Whoever sees it stand still for as long as a lease lasts, by a
-- clock of its own, takes the server for dead. `started_at` is for people: a wall clock may jump, so nothing is decided by it.
CREATE TABLE instances (
  id TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  heartbeat INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which server owes the answer. NULL: one of an earlier version.
-- An idempotency record whose turn is in flight says that its key is being answered.
ALTER TABLE turns_in_flight ADD COLUMN instance_id TEXT REFERENCES instances (id);
