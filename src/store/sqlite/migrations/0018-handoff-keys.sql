-- Idempotency-Keys under which a visitor has completed a hand-off that was open. What opened it stands in the hand-off itself.
CREATE TABLE handoff_keys (
  -- SHA-256 of token and key, and of the body.
  key_hash BLOB PRIMARY KEY NOT NULL,
  body_hash BLOB NOT NULL,
  handoff_key INTEGER NOT NULL REFERENCES handoffs (key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX handoff_keys_by_handoff ON handoff_keys (handoff_key);
