/** In either engine's SQL, as are those below. */
export const LIST_RUNNING = "SELECT DISTINCT encoder FROM instances WHERE encoder IS NOT NULL ORDER BY 1";

/** Takes note of which encoders servers run. Needs the instant, once for those that none runs any more. */
export const MARK_USED = `
UPDATE encoders SET unused_since = NULL
WHERE unused_since IS NOT NULL AND version IN (SELECT encoder FROM instances)`;
