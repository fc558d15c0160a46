-- Ratings are counted behind, as turns are, once their turn is. NULL: it is not counted yet, or counts no longer.
ALTER TABLE ratings ADD COLUMN counted_as TEXT CHECK (counted_as IN ('up', 'down'));
CREATE INDEX ratings_to_count ON ratings (turn_key) WHERE counted_as IS NOT rating;

-- As its rating is counted; NULL: nobody rated it.
ALTER TABLE counted_turns ADD COLUMN rating TEXT CHECK (rating IN ('up', 'down'));
CREATE INDEX counted_turns_by_rating ON counted_turns (rating, place) WHERE rating IS NOT NULL;

-- Rated answers by the hour and the day of their messages. They stay when conversations are erased.
CREATE TABLE rating_counts (
  bot_key INTEGER NOT NULL,
  bucket TEXT NOT NULL CHECK (bucket IN ('hour', 'day')),
  at INTEGER NOT NULL,
  rating TEXT NOT NULL CHECK (rating IN ('up', 'down')),
  answers INTEGER NOT NULL,
  PRIMARY KEY (bot_key, bucket, at, rating)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_counts_by_time ON rating_counts (bucket, at);
