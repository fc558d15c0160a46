import { byEngine, type Sql, sql, text } from "../sql/sql.ts";
import { CONVERSATION, PLACE, TURN_PLACE } from "./references.ts";

/** The rule that decided a turn. @param turn its table's name in the statement. */
export function ruleOf(turn: string): Sql {
  return byEngine({
    sqlite: `${turn}.receipt ->> '$.rule'`,
    postgres: `${turn}.receipt::json ->> 'rule'`,
  });
}

/** The text of a turn; '' for replies to an action, because these are personal data. @param turn its table's name in the statement. */
export function inputToList(turn: string): Sql {
  return sql`CASE WHEN ${ruleOf(turn)} = 'action' THEN '' ELSE ${text(`${turn}.input`)} END`;
}

/** The visitor's message before a turn; '' if its text is not kept or not listed, NULL if there is none. */
export const BEFORE = sql`(
  SELECT ${inputToList("earlier")} FROM turns AS earlier WHERE earlier.${CONVERSATION} = turns.${CONVERSATION}
    AND earlier.${PLACE} < ${TURN_PLACE} ORDER BY earlier.${PLACE} DESC LIMIT 1)`;

const LEANS = byEngine({
  sqlite: "(SELECT max(value ->> '$.leans') FROM json_each(turns.receipt, '$.readings'))",
  postgres:
    "(SELECT max((reading ->> 'leans')::float8) FROM json_array_elements(turns.receipt::json -> 'readings') AS reading)",
});

/** The columns of `PreviousMessage` for a turn. */
export const PREVIOUS_MESSAGE = sql`nullif(${BEFORE}, '') AS before, ${LEANS} AS leans`;
