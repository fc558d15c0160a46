import type { Logger } from "pino";

/** Log line of a failed request; `err` is the cause. */
export interface FailureLine {
  readonly code?: string | undefined;
  readonly err?: unknown;
}

/** A lasting cause is written in full at this interval; the lines in between contain only its code. */
const CAUSE_EVERY_MS = 1000;

/**
 * Writes a line for each request that failed. Overload is a warning, because refusing is what the limit is for. While storage cannot
 * be written, the stack of the cause is written once a second, and not with each message.
 */
export class FailureLog {
  readonly #log: Pick<Logger, "warn" | "error">;
  #causeAt = -Infinity;

  constructor(log: Pick<Logger, "warn" | "error">) {
    this.#log = log;
  }

  write(line: FailureLine, nowMs: number): void {
    if (line.code === "OVERLOADED") return this.#log.warn(line, "request refused");
    this.#log.error(
      line.code === "STORAGE_UNAVAILABLE" ? this.#withoutRepeats(line, nowMs) : line,
      "request failed",
    );
  }

  #withoutRepeats({ err, ...line }: FailureLine, nowMs: number): FailureLine {
    if (err === undefined || nowMs - this.#causeAt < CAUSE_EVERY_MS) return line;
    this.#causeAt = nowMs;
    return { ...line, err };
  }
}
