-- Encoders whose vectors are stored, by version. Vectors of two are never compared; those of one go a day after the last server that ran it.
CREATE TABLE encoders (
  version text COLLATE "C" PRIMARY KEY,
  -- Since when no server is known to run it. NULL: one does, or nobody has looked yet.
  unused_since bigint
);

-- What the examples of an intent model mean, by encoder. Made anew: which encoder the rows before were made by was not noted.
DROP TABLE sentence_models;
CREATE TABLE sentence_models (
  intent_model text COLLATE "C" NOT NULL REFERENCES intent_models (id) ON DELETE CASCADE,
  encoder text COLLATE "C" NOT NULL REFERENCES encoders (version),
  -- Empty where the bot has nothing to encode: one intent, or very many examples.
  bytes bytea NOT NULL,
  PRIMARY KEY (intent_model, encoder)
);

CREATE INDEX sentence_models_by_encoder ON sentence_models (encoder);

-- What the title and the sentences of a passage mean, in eight bits a number.
CREATE TABLE passage_vectors (
  passage_key bigint NOT NULL REFERENCES knowledge_passages (key) ON DELETE CASCADE,
  encoder text COLLATE "C" NOT NULL REFERENCES encoders (version),
  bytes bytea NOT NULL,
  PRIMARY KEY (passage_key, encoder)
);

CREATE INDEX passage_vectors_by_encoder ON passage_vectors (encoder);

-- The encoder that the server runs; 'off': none. NULL: not entered yet, or a server of an earlier version.
ALTER TABLE instances ADD COLUMN encoder text;
