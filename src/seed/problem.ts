/** A mistake in a bot file, with the place an editor can jump to; none where it is one of the whole file or folder. */
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

/** `file:line:column: what is wrong, what would be right` (decisions §10); a warning says that it is one. */
export function formatProblem({ source, line, column, message, severity }: SeedProblem): string {
  const place = line === undefined ? source : `${source}:${line}:${column}`;
  return `${place}: ${severity === "warning" ? "warning: " : ""}${message}`;
}

/** Orders problems as a reader meets them: by file, then by place. */
export function byPlace(left: SeedProblem, right: SeedProblem): number {
  if (left.source !== right.source) return left.source < right.source ? -1 : 1;
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}
