const FIRST_PAUSE_MS = 25;
const PAUSE_GROWTH = 1.5;
/** A visitor hardly notices a quarter of a second after an answer that took a model. */
const LONGEST_PAUSE_MS = 250;
/** As long as a model may take where the bot file sets no deadline, and then as long as a dead server's lease. */
const LONGEST_WAIT_MS = 75_000;

/** How long to wait before each look for an answer that another server owes. Ends where a caller has waited long enough. */
export function* pausesOfWaiting(): Generator<number, void> {
  let waitedMs = 0;
  let pauseMs = FIRST_PAUSE_MS;
  while (waitedMs < LONGEST_WAIT_MS) {
    yield pauseMs;
    waitedMs += pauseMs;
    pauseMs = Math.min(pauseMs * PAUSE_GROWTH, LONGEST_PAUSE_MS);
  }
}
