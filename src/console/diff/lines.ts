import { diffArrays } from "diff";

import { count, counted } from "../words/numbers.ts";

/** A line of a comparison. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
  /** Line number from 1: in the newer text for unchanged lines, else in the text that has the line. */
  line: number;
}

/** Unchanged lines that are not near a change. */
export interface SkippedLines {
  kind: "skipped";
  lines: number;
}

interface LineDiff {
  lines: (DiffLine | SkippedLines)[];
  added: number;
  removed: number;
}

/** As `6 lines added`, `1 line removed` or `6 lines added, 2 removed`. */
export function changedLines({ added, removed }: Pick<LineDiff, "added" | "removed">): string {
  if (removed === 0) return `${counted(added, "line")} added`;
  if (added === 0) return `${counted(removed, "line")} removed`;
  return `${counted(added, "line")} added, ${count(removed)} removed`;
}

/** Lines shown around a change, as in `diff -u`. */
const CONTEXT = 3;

/** Compares two texts line by line. */
export function diffLines(before: string, after: string): LineDiff {
  const all = allLines(linesIn(before), linesIn(after));
  return {
    lines: withoutFarLines(all),
    added: all.filter(({ kind }) => kind === "added").length,
    removed: all.filter(({ kind }) => kind === "removed").length,
  };
}

function linesIn(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function allLines(before: string[], after: string[]): DiffLine[] {
  let [oldLine, newLine] = [0, 0];
  return diffArrays(before, after).flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => {
      if (!added) oldLine++;
      if (!removed) newLine++;
      const kind = added ? "added" : removed ? "removed" : "same";
      return { kind, text, line: removed ? oldLine : newLine };
    }),
  );
}

function withoutFarLines(all: readonly DiffLine[]): (DiffLine | SkippedLines)[] {
  const near = new Set<number>();
  for (const [at, { kind }] of all.entries())
    if (kind !== "same") for (let n = at - CONTEXT; n <= at + CONTEXT; n++) near.add(n);
  const shown: (DiffLine | SkippedLines)[] = [];
  for (const [at, line] of all.entries()) {
    const last = shown.at(-1);
    if (near.has(at)) shown.push(line);
    else if (last?.kind === "skipped") last.lines++;
    else shown.push({ kind: "skipped", lines: 1 });
  }
  return shown;
}
