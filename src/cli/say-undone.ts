import type { BotDifference, SeedOutcome } from "../store/interface/bots.ts";
import { describeDifference } from "./change-report.ts";
import { InputError } from "./exit-code.ts";
import { counted } from "./format.ts";
import type { Terminal } from "./terminal.ts";

type Undoing = SeedOutcome & { undoes: BotDifference };

/** Prints which console changes a seed overwrites, or would overwrite. */
export function sayUndone(
  { say, colours }: Pick<Terminal, "say" | "colours">,
  outcomes: readonly SeedOutcome[],
  isDone: boolean,
): void {
  for (const { botId, change, undoes } of undoingAmong(outcomes)) {
    const whose = change === "deleted" ? "was published in the console" : "was changed in the console";
    const what = isDone ? "this was overwritten" : "seeding overwrites";
    say(`${colours.err.bold(botId)} ${whose}; ${what}:`);
    say(describeDifference(undoes, colours.err));
  }
}

/** The error of a seed that was refused because of console changes, printed after their list. */
export function consoleChangesError(outcomes: readonly SeedOutcome[]): InputError {
  const ids = undoingAmong(outcomes).map(({ botId }) => botId);
  const bots = ids.length === 1 ? ids[0]! : `${counted(ids.length, "bot")} (${ids.join(", ")})`;
  return new InputError(
    `${bots} would lose changes published in the console; nothing was changed. \`parley bot export\` prints the current text for the` +
      "file; --force overwrites it",
  );
}

export function undoingAmong(outcomes: readonly SeedOutcome[]): Undoing[] {
  return outcomes.filter((outcome): outcome is Undoing => outcome.undoes !== undefined);
}
