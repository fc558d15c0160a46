CREATE TABLE handoff_keys (
  key_hash bytea PRIMARY KEY,
  body_hash bytea NOT NULL,
  handoff_key bigint NOT NULL REFERENCES handoffs (key) ON DELETE CASCADE
);

CREATE INDEX handoff_keys_by_handoff ON handoff_keys (handoff_key);
