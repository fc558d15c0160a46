import { constants } from "node:os";

import { runInBackground } from "./background-process.ts";
import { Sqlite } from "./driver.ts";
import { sqliteCode } from "./failure.ts";

/** The result of checking every page. */
export type CheckOutcome =
  | { kind: "sound" }
  | { kind: "damaged"; finding: string }
  /** The check itself could not run. */
  | { kind: "unknown"; reason: string };

/** The hidden command that checks a database in a process of its own. */
export const CHECK_COMMAND = "check-database";

/** Number of reported findings: the first few suffice, and there may be one for each page. Chosen by hand. */
const MAX_FINDINGS = 3;
const BUSY_TIMEOUT_MS = 5000;

/** Checks every page of a database file, which takes as long as reading it. Blocks. */
export function quickCheck(file: string): CheckOutcome {
  const findings: string[] = [];
  try {
    for (const finding of findingsIn(file)) findings.push(oneLine(finding));
  } catch (error) {
    // A finding says more than SQLite's error that it could not continue.
    if (findings.length === 0) return outcomeOfError(error);
  }
  if (findings.length === 1 && findings[0] === "ok") return { kind: "sound" };
  return { kind: "damaged", finding: findings.join("; ") };
}

function* findingsIn(file: string): Generator<string> {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    yield* db.prepare<[], string>(`PRAGMA quick_check(${MAX_FINDINGS})`).pluck().iterate();
  } finally {
    db.close();
  }
}

/** A page that the disk does not return counts as damaged. */
function outcomeOfError(error: unknown): CheckOutcome {
  const { message } = error as Error;
  const code = sqliteCode(error) ?? "";
  const isDamage = /^SQLITE_(CORRUPT|NOTADB|IOERR_READ|IOERR_SHORT_READ)/.test(code);
  return isDamage
    ? { kind: "damaged", finding: `${message} (${code})` }
    : { kind: "unknown", reason: message };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replace(/\.$/, "").trim();
}

/** A check in another process. */
export interface RunningCheck {
  outcome: Promise<CheckOutcome>;
  stop: () => void;
}

/** `quickCheck` in a process of its own, with the lowest priority. */
export function startQuickCheck(file: string): RunningCheck {
  const stopping = new AbortController();
  return { outcome: checkInBackground(file, stopping.signal), stop: () => stopping.abort() };
}

async function checkInBackground(file: string, signal: AbortSignal): Promise<CheckOutcome> {
  const priority = constants.priority.PRIORITY_LOW;
  const ended = await runInBackground([CHECK_COMMAND, file], { priority, signal });
  if (ended.exitCode === 0) return JSON.parse(ended.stdout) as CheckOutcome;
  const cause = ended.killedBy ?? `exit code ${ended.exitCode}`;
  return { kind: "unknown", reason: `${cause} ${oneLine(ended.stderr)}`.trim() };
}
