-- What was made by a key, or in a session that came of a key's link, goes with that key: keys, links, sessions. NULL: an operator made it,
-- or an earlier version, which did not note it.
ALTER TABLE operator_keys ADD COLUMN made_by_key INTEGER REFERENCES operator_keys (key) ON DELETE CASCADE;
ALTER TABLE sign_in_links ADD COLUMN made_by_key INTEGER REFERENCES operator_keys (key) ON DELETE CASCADE;
ALTER TABLE operator_sessions ADD COLUMN made_by_key INTEGER REFERENCES operator_keys (key) ON DELETE CASCADE;
