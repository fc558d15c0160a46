-- Files that browsers load, of the builds that servers have run lately: a page that is open goes on after an upgrade.
CREATE TABLE asset_builds (
  id TEXT PRIMARY KEY,
  -- Grows: the build that was started last has the highest.
  place INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

-- Each content once, whichever builds have it. `integrity`: SHA-384 of what `brotli` unpacks to, as in Subresource Integrity.
CREATE TABLE asset_contents (
  integrity TEXT PRIMARY KEY,
  brotli BLOB NOT NULL
) STRICT;

CREATE TABLE asset_files (
  build TEXT NOT NULL REFERENCES asset_builds (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  integrity TEXT NOT NULL REFERENCES asset_contents (integrity),
  PRIMARY KEY (build, path)
) STRICT, WITHOUT ROWID;

-- The build that the server runs. NULL: its files are not stored.
ALTER TABLE instances ADD COLUMN asset_build TEXT;
