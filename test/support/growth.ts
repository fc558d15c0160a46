/** Runs at each length, after one that is not timed; the fastest counts, as other work of the machine only ever adds. */
const RUNS = 5;
/** Microseconds below which a clock tells nothing. */
const LEAST = 500;

/**
 * How many times as much CPU time a run takes for an input that is four times as long: about 4 where it grows with the length, 16 where it
 * grows with the square.
 */
export function growthOf(run: (length: number) => void, length: number): number {
  run(4 * length);
  return timeOf(run, 4 * length) / Math.max(LEAST, timeOf(run, length));
}

function timeOf(run: (length: number) => void, length: number): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    run(length);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}
