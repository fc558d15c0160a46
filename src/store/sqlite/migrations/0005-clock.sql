-- One row: the latest instant at which a server, or an operator, took the clock to be right. NULL until the first.
CREATE TABLE clock (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  heartbeat_at INTEGER
) STRICT;

INSERT INTO clock (key, heartbeat_at) VALUES (1, NULL);
