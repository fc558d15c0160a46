import { constants } from "node:os";

import { runInBackground } from "./background-process.ts";
import { Sqlite } from "./driver.ts";
import { sqliteCode } from "./failure.ts";

/** What a look at every page has come to. */
export type CheckOutcome =
  | { kind: "sound" }
  | { kind: "damaged"; finding: string }
  /** Nothing is known: the check itself could not be run. */
  | { kind: "unknown"; reason: string };

/** The hidden command that checks a database in a process of its own. */
export const CHECK_COMMAND = "check-database";

/** What is wrong is told by the first few findings; there may be one for each page. */
const MOST_FINDINGS = 3;
const BUSY_TIMEOUT_MS = 5000;

/** Looks at every page of a database file, which takes as long as to read it. Blocks. */
export function quickCheck(file: string): CheckOutcome {
  const findings: string[] = [];
  try {
    for (const finding of findingsIn(file)) findings.push(oneLine(finding));
  } catch (error) {
    // What was found says more than that SQLite could not go on.
    if (findings.length === 0) return outcomeOfError(error);
  }
  if (findings.length === 1 && findings[0] === "ok") return { kind: "sound" };
  return { kind: "damaged", finding: findings.join("; ") };
}

function* findingsIn(file: string): Generator<string> {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    yield* db.prepare<[], string>(`PRAGMA quick_check(${MOST_FINDINGS})`).pluck().iterate();
  } finally {
    db.close();
  }
}

/** A page that the disk does not give back is as good as damaged. */
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

/** A check that runs in another process. */
export interface RunningCheck {
  outcome: Promise<CheckOutcome>;
  stop: () => void;
}

/** `quickCheck` in a process of its own, with the least priority. */
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
