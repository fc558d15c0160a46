-- What the examples of an intent model mean. A table of its own, as it is read only once a message needs it. None where a bot's language is
-- not known, where its examples are many, or where the machine that trained it has no SIMD.
CREATE TABLE sentence_models (
  intent_model INTEGER PRIMARY KEY REFERENCES intent_models (key) ON DELETE CASCADE,
  bytes BLOB NOT NULL
) STRICT;
