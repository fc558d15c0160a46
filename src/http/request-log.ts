import type { Logger } from "pino";

import type { ErrorCode } from "../domain/errors.ts";

/** What a line of the log says of an answered request; `err` is the cause of a failure. */
export interface RequestLine {
  readonly status: number;
  readonly code?: ErrorCode;
  readonly err?: unknown;
}

/** A cause that stays is written whole this often; the lines between name its code alone. */
const CAUSE_EVERY_MS = 1000;

/**
 * Writes a line for each request. Overload is a warning, because refusing is what the limit is for. While storage cannot be written,
 * the stack of the cause is written once a second, and not with each message.
 */
export class RequestLog {
  readonly #log: Pick<Logger, "info" | "warn" | "error">;
  #causeAt = -Infinity;

  constructor(log: Pick<Logger, "info" | "warn" | "error">) {
    this.#log = log;
  }

  write(line: RequestLine, nowMs: number): void {
    if (line.status < 500) return this.#log.info(line, "request");
    if (line.code === "OVERLOADED") return this.#log.warn(line, "request refused");
    this.#log.error(
      line.code === "STORAGE_UNAVAILABLE" ? this.#withoutRepeats(line, nowMs) : line,
      "request failed",
    );
  }

  #withoutRepeats({ err, ...line }: RequestLine, nowMs: number): RequestLine {
    if (err === undefined || nowMs - this.#causeAt < CAUSE_EVERY_MS) return line;
    this.#causeAt = nowMs;
    return { ...line, err };
  }
}
