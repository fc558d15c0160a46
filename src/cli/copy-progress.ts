import type { OnCopy } from "../store/sqlite/backup/backup-database.ts";
import type { DatabaseContents } from "../store/sqlite/backup/check-database.ts";
import { BackupError } from "../store/sqlite/backup/errors.ts";
import { counted } from "./format.ts";
import { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** Progress callback and abort signal of a copy. */
interface CopyReins {
  onCopy: OnCopy;
  signal: AbortSignal;
}

const LABEL = {
  waiting: "waiting for the lease of a stopped server to expire",
  copying: "copying the database",
  checking: "checking the copy",
} as const;

/**
 * Shows the progress of a copy and aborts it when the operator stops the command.
 *
 * @throws BackupError with the text `whenStopped`.
 */
export async function withCopyProgress<Result>(
  terminal: Terminal,
  copy: (reins: CopyReins) => Promise<Result>,
  whenStopped = "stopped; nothing was changed",
): Promise<Result> {
  using progress = new Progress(terminal);
  const stopping = new AbortController();
  const stopListening = terminal.onStopSignal(() => stopping.abort());
  try {
    return await copy({
      onCopy: (stage, share) => progress.report(LABEL[stage], share),
      signal: stopping.signal,
    });
  } catch (error) {
    if (stopping.signal.aborted) throw new BackupError(whenStopped, { cause: error });
    throw error;
  } finally {
    stopListening();
  }
}

/** `3 bots, 2 embed tokens and 12 conversations with 40 turns`. */
export function describeContents({
  bots,
  embedTokens,
  conversations,
  turns,
}: Omit<DatabaseContents, "schema">): string {
  return (
    `${counted(bots, "bot")}, ${counted(embedTokens, "embed token")} and ` +
    `${counted(conversations, "conversation")} with ${counted(turns, "turn")}`
  );
}
