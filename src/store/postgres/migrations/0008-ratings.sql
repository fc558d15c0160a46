-- Ratings are counted behind, as turns are; see the migration of the SQLite store.
ALTER TABLE ratings ADD COLUMN counted_as text CHECK (counted_as IN ('up', 'down'));
CREATE INDEX ratings_to_count ON ratings (request_id) WHERE counted_as IS DISTINCT FROM rating;

ALTER TABLE counted_turns ADD COLUMN rating text COLLATE "C" CHECK (rating IN ('up', 'down'));
CREATE INDEX counted_turns_by_rating ON counted_turns (rating, at, place) WHERE rating IS NOT NULL;

CREATE TABLE rating_counts (
  bot_key bigint NOT NULL,
  bucket text COLLATE "C" NOT NULL CHECK (bucket IN ('hour', 'day')),
  at bigint NOT NULL,
  rating text COLLATE "C" NOT NULL CHECK (rating IN ('up', 'down')),
  answers bigint NOT NULL,
  PRIMARY KEY (bot_key, bucket, at, rating)
);

CREATE INDEX rating_counts_by_time ON rating_counts (bucket, at);
