import type { SeedOutcome } from "./interface/bots.ts";

/** A seed would undo changes of the console without permission to do so. Nothing was changed. */
export class ConsoleChangesError extends Error {
  override name = "ConsoleChangesError";
  /** The outcomes that would undo something. */
  readonly outcomes: readonly SeedOutcome[];

  constructor(outcomes: readonly SeedOutcome[]) {
    super("bots were changed in the console since they were seeded");
    this.outcomes = outcomes;
  }
}

/** @throws ConsoleChangesError if outcomes undo changes of the console without `force`. */
export function refuseConsoleChanges(outcomes: readonly SeedOutcome[], { force = false }): void {
  const undoing = outcomes.filter(({ undoes }) => undoes !== undefined);
  if (undoing.length > 0 && !force) throw new ConsoleChangesError(undoing);
}
