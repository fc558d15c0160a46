/** Interval of a timer that stands still whenever this process is blocked. */
export const LOOK_EVERY_MS = 50;

/** Counts the timer's ticks during work: a measure of waiting that other work on the machine does not lengthen. */
export async function countLooks(work: () => Promise<unknown>): Promise<number> {
  let looks = 0;
  const timer = setInterval(() => (looks += 1), LOOK_EVERY_MS);
  await work().finally(() => clearInterval(timer));
  return looks;
}
