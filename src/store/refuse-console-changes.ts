import type { SeedOutcome } from "./interface/bots.ts";

/** A seed would take back what was published in the console, and nobody has said that it may. Nothing was changed. */
export class ConsoleChangesError extends Error {
  override name = "ConsoleChangesError";
  /** Those that would take something back. */
  readonly outcomes: readonly SeedOutcome[];

  constructor(outcomes: readonly SeedOutcome[]) {
    super("bots were changed in the console since they were seeded");
    this.outcomes = outcomes;
  }
}

/** @throws ConsoleChangesError where outcomes take something back and may not. */
export function refuseConsoleChanges(outcomes: readonly SeedOutcome[], { force = false }): void {
  const undoing = outcomes.filter(({ undoes }) => undoes !== undefined);
  if (undoing.length > 0 && !force) throw new ConsoleChangesError(undoing);
}
