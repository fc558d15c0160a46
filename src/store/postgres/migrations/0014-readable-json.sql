-- A text as JSON, NULL where it is none: one damaged row leaves the others to be read. (`IS JSON` is of PostgreSQL 16.)
CREATE FUNCTION parley_json(value text) RETURNS json LANGUAGE plpgsql IMMUTABLE AS
$$ BEGIN
  RETURN value::json;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END $$;
