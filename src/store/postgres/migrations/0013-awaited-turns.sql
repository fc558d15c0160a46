-- Every turn that is not counted has a row here, from the statement that stores it on. Before, turns were looked for from some time before
-- the latest that is counted: each step then looked at all that was counted of that time, and passed over what was stored later still.
ALTER TABLE awaited_turns ADD COLUMN at bigint NOT NULL DEFAULT 0;

-- A trigger, so that turns of a server of an older version, which may run beside this one, are counted too.
CREATE FUNCTION parley_await_turns() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  INSERT INTO awaited_turns (request_id, at) SELECT request_id, at FROM stored ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER turns_are_awaited AFTER INSERT ON turns REFERENCING NEW TABLE AS stored
FOR EACH STATEMENT EXECUTE FUNCTION parley_await_turns();

-- What is older than a day before the latest that is counted was counted, too: no server looked further back.
INSERT INTO awaited_turns (request_id, at) SELECT request_id, at FROM turns
WHERE at >= (SELECT coalesce(max(counted_at), 0) - 86400000 FROM turn_counting)
  AND NOT EXISTS (SELECT FROM counted_turns WHERE counted_turns.request_id = turns.request_id)
ON CONFLICT (request_id) DO UPDATE SET at = excluded.at;

CREATE INDEX awaited_turns_by_time ON awaited_turns (at, request_id);
