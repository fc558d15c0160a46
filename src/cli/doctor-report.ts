import type { Finding, Severity } from "../operate/doctor/finding.ts";
import { counted, printable } from "./format.ts";
import type { Colours } from "./terminal.ts";

const CHECK_WIDTH = "write-ahead-log".length;
const SEVERITY_WIDTH = "broken".length;
const INDENT = " ".repeat(SEVERITY_WIDTH + CHECK_WIDTH + 4);

/** A finding on one line, and its remedy on the next. */
export function formatFinding(finding: Finding, colours: Colours): string {
  const { check, severity } = finding;
  const label = colourOf(severity, colours)(severity.padEnd(SEVERITY_WIDTH));
  const line = `${label}  ${check.padEnd(CHECK_WIDTH)}  ${printable(finding.message)}`;
  return finding.severity === "fine" ? line : `${line}\n${INDENT}→ ${printable(finding.cure)}`;
}

function colourOf(severity: Severity, { green, cyan, yellow, red }: Colours): Colours["green"] {
  return { fine: green, hint: cyan, mend: yellow, broken: red }[severity];
}

/** Number of findings by severity: `1 broken, 2 to mend, 1 hint`; `nothing to do` if there are none. */
export function summarise(findings: readonly Finding[]): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const parts = [
    [count("broken"), `${count("broken")} broken`],
    [count("mend"), `${count("mend")} to mend`],
    [count("hint"), counted(count("hint"), "hint")],
  ] as const;
  return parts.flatMap(([number, words]) => (number > 0 ? [words] : [])).join(", ") || "nothing to do";
}
