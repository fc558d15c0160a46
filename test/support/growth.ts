/** Runs at each length, after one that is not timed; the fastest counts, as other work of the machine only ever adds. */
const RUNS = 5;
/** Microseconds below which a clock tells nothing. */
const LEAST = 500;
/** Measures in all, where one says more than what grows with the length: other work may have been in the way of every run of it. */
const MEASURES = 3;
const LINEAR = 4;

type Run = (length: number) => unknown;

/**
 * How many times as much CPU time a run takes for an input that is four times as long: about 4 where it grows with the length, 16 where it
 * grows with the square.
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
