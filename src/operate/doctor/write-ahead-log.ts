import { formatBytes } from "../../domain/bytes.ts";
import { type Finding, fine } from "./finding.ts";

/** SQLite checkpoints the log at 4 MB (1,000 pages); the file keeps its largest size. */
const HINT_BYTES = 64 * 1024 * 1024;
const MEND_BYTES = 1024 * 1024 * 1024;

/** A large log means that something prevents checkpoints. Pure. */
export function judgeWriteAheadLog(bytes: number): Finding {
  const message = `the write-ahead log has ${formatBytes(bytes)}`;
  if (bytes <= HINT_BYTES) return fine("write-ahead-log", message);
  return {
    check: "write-ahead-log",
    severity: bytes > MEND_BYTES ? "mend" : "hint",
    message: `${message}: something reads the database for long, or much was deleted at once`,
    cure: "end long reads of the database by other programs; a restart of the server writes the log back",
  };
}
