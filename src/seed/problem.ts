/** A mistake in a bot file, with its position; without one if it concerns the whole file or folder. */
export interface SeedProblem {
  /** Name of the file, or `stdin`. */
  source: string;
  /** From 1. */
  line?: number;
  /** From 1, in UTF-16 units. */
  column?: number;
  /** The mistake and its remedy. */
  message: string;
  severity: "error" | "warning";
  /** As that of `BotProblem`. */
  isFault?: true;
}

/** `file:line:column: the mistake, the remedy`; a warning is marked as such. */
export function formatProblem({ source, line, column, message, severity }: SeedProblem): string {
  const place = line === undefined ? source : `${source}:${line}:${column}`;
  return `${place}: ${severity === "warning" ? "warning: " : ""}${message}`;
}

/** Orders problems by file, then by position. */
export function byPlace(left: SeedProblem, right: SeedProblem): number {
  if (left.source !== right.source) return left.source < right.source ? -1 : 1;
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}
