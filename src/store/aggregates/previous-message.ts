import { byEngine, sql } from "../sql/sql.ts";
import { CONVERSATION, PLACE, TURN_PLACE } from "./references.ts";

/** The visitor's message before a turn; '' if its text is not kept, NULL if there is none. */
export const BEFORE = sql`(
  SELECT earlier.input FROM turns AS earlier WHERE earlier.${CONVERSATION} = turns.${CONVERSATION}
    AND earlier.${PLACE} < ${TURN_PLACE} ORDER BY earlier.${PLACE} DESC LIMIT 1)`;

const LEANS = byEngine({
  sqlite: "(SELECT max(value ->> '$.leans') FROM json_each(turns.receipt, '$.readings'))",
  postgres:
    "(SELECT max((reading ->> 'leans')::float8) FROM json_array_elements(turns.receipt::json -> 'readings') AS reading)",
});

/** The columns of `PreviousMessage` for a turn. */
export const PREVIOUS_MESSAGE = sql`nullif(${BEFORE}, '') AS before, ${LEANS} AS leans`;
