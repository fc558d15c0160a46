-- Encoders whose vectors are stored, by version. Vectors of two are never compared; those of one go a day after the last server that ran it.
CREATE TABLE encoders (
  version TEXT PRIMARY KEY,
  -- Since when no server is known to run it. NULL: one does, or nobody has looked yet.
  unused_since INTEGER
) STRICT, WITHOUT ROWID;

-- What the examples of an intent model mean, by encoder. Made anew: which encoder the rows before were made by was not noted.
DROP TABLE sentence_models;
CREATE TABLE sentence_models (
  intent_model INTEGER NOT NULL REFERENCES intent_models (key) ON DELETE CASCADE,
  encoder TEXT NOT NULL REFERENCES encoders (version),
  -- Empty where the bot has nothing to encode: one intent, or very many examples.
  bytes BLOB NOT NULL,
  PRIMARY KEY (intent_model, encoder)
) STRICT;

CREATE INDEX sentence_models_by_encoder ON sentence_models (encoder);

-- What the title and the sentences of a passage mean, in eight bits a number.
CREATE TABLE passage_vectors (
  passage_key INTEGER NOT NULL REFERENCES knowledge_passages (key) ON DELETE CASCADE,
  encoder TEXT NOT NULL REFERENCES encoders (version),
  bytes BLOB NOT NULL,
  PRIMARY KEY (passage_key, encoder)
) STRICT;

CREATE INDEX passage_vectors_by_encoder ON passage_vectors (encoder);

-- The encoder that the server runs; 'off': none. NULL: not entered yet, or a server of an earlier version.
ALTER TABLE instances ADD COLUMN encoder TEXT;
