/** Timed runs at each length, after one untimed run; the fastest counts, because other work of the machine only adds time. */
const RUNS = 5;
/** Least measured time in microseconds; below, the clock is too coarse. */
const LEAST = 500;
/** Maximum number of measurements if one shows a growth that is too large: other work may have disturbed all of its runs. */
const MEASURES = 3;
const LINEAR = 4;

type Run = (length: number) => unknown;

/**
 * Factor of CPU time for an input four times as long: about 4 for linear growth, 16 for quadratic growth.
 */
export async function growthOf(run: Run, length: number): Promise<number> {
  await run(4 * length);
  let least = Infinity;
  for (let measure = 0; measure < MEASURES && least > 2 * LINEAR; measure += 1) {
    const ofLonger = await timeOf(run, 4 * length);
    least = Math.min(least, ofLonger / Math.max(LEAST, await timeOf(run, length)));
  }
  return least;
}

async function timeOf(run: Run, length: number): Promise<number> {
  let least = Infinity;
  for (let n = 0; n < RUNS; n += 1) {
    const before = process.cpuUsage();
    await run(length);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}
