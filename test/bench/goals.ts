/** A figure that has a goal. */
export interface Goal {
  what: string;
  value: number;
  atLeast?: number;
  atMost?: number;
}

/** Prints each figure beside its goal, and marks missed goals. */
export function printGoals(goals: readonly Goal[]): void {
  console.log(`\n${"".padEnd(60)}${"now".padStart(10)}${"goal".padStart(10)}`);
  for (const { what, value, atLeast, atMost } of goals) {
    const isMet = value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
    const goal = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
    console.log(
      `${what.padEnd(60)}${figure(value).padStart(10)}${goal.padStart(10)}${isMet ? "" : "  missed"}`,
    );
  }
}

function figure(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0);
}
