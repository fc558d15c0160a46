-- Files that browsers load, of the builds that servers have run lately: a page that is open goes on after an upgrade.
CREATE TABLE asset_builds (
  id text PRIMARY KEY,
  -- Grows: the build that was started last has the highest.
  place bigint NOT NULL UNIQUE
);

-- Each content once, whichever builds have it. `integrity`: SHA-384 of what `brotli` unpacks to, as in Subresource Integrity.
CREATE TABLE asset_contents (
  integrity text PRIMARY KEY,
  brotli bytea NOT NULL
);

CREATE TABLE asset_files (
  build text NOT NULL REFERENCES asset_builds (id) ON DELETE CASCADE,
  path text NOT NULL,
  integrity text NOT NULL REFERENCES asset_contents (integrity),
  PRIMARY KEY (build, path)
);

-- The build that the server runs. NULL: its files are not stored.
ALTER TABLE instances ADD COLUMN asset_build text;
