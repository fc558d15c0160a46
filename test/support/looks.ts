/** Between two looks of a timer that is held up whenever this process is. */
export const LOOK_EVERY_MS = 50;

/** Counts the looks of such a timer while work is done: a measure of its waiting that other work on the machine does not lengthen. */
export async function countLooks(work: () => Promise<unknown>): Promise<number> {
  let looks = 0;
  const timer = setInterval(() => (looks += 1), LOOK_EVERY_MS);
  await work().finally(() => clearInterval(timer));
  return looks;
}
