import { closeSync, openSync } from "node:fs";

import type { Logger } from "pino";

import type { Metrics } from "../metrics.ts";

/** The parts that the watch over file descriptors uses. */
export interface DescriptorParts {
  log: Pick<Logger, "error" | "info">;
  metrics: Pick<Metrics, "descriptorShortages" | "connectionsShed">;
  /** Closes idle connections. @returns their number. */
  closeIdleConnections: () => number;
  /** Limit of open descriptors. */
  limit: number;
  /** Number of free descriptors, counted up to `enough`. */
  countFree?: (enough: number) => number;
}

const LOOK_EVERY_MS = 250;
/** Share of the limit below which descriptors are short: database and model servers need some, too. Chosen by hand. */
const SPARE_SHARE = 1 / 16;
const MAX_SPARE = 16;
/** After this time without a shortage, the next one is reported again. */
const CALM_MS = 60_000;
/** Minimum duration of a turn of the event loop while no descriptor is free. */
const BRAKE_MS = 5;

/**
 * Detects a shortage of descriptors. It is reported once, and idle connections are closed: their clients can reconnect, but a client
 * without a connection gets no answer at all.
 */
export class DescriptorWatch {
  readonly #parts: Required<DescriptorParts>;
  readonly #spare: number;
  #shortSince: number | undefined;
  #lastShortAt = 0;
  #isBraking = false;

  constructor(parts: DescriptorParts) {
    this.#parts = { countFree: countFreeDescriptors, ...parts };
    this.#spare = Math.max(1, Math.min(MAX_SPARE, Math.floor(parts.limit * SPARE_SHARE)));
  }

  /** Checks every {@link LOOK_EVERY_MS}. @returns a function that stops it. */
  start(): () => void {
    const timer = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }

  look(nowMs: number): void {
    const free = this.#parts.countFree(this.#spare);
    if (free >= this.#spare) return this.#noticeEnd(nowMs);
    this.#noticeShortage(nowMs);
    this.#parts.metrics.connectionsShed.inc(this.#parts.closeIdleConnections());
    if (free === 0) this.#brake();
  }

  #noticeShortage(nowMs: number): void {
    this.#lastShortAt = nowMs;
    if (this.#shortSince !== undefined) return;
    this.#shortSince = nowMs;
    this.#parts.metrics.descriptorShortages.inc();
    this.#parts.log.error(
      { limit: this.#parts.limit },
      "file descriptors run short: idle connections are closed, new ones may wait; raise the limit (LimitNOFILE=, ulimit -n)",
    );
  }

  #noticeEnd(nowMs: number): void {
    if (this.#shortSince === undefined || nowMs - this.#lastShortAt < CALM_MS) return;
    const seconds = Math.round((this.#lastShortAt - this.#shortSince) / 1000);
    this.#shortSince = undefined;
    this.#parts.log.info({ seconds }, "file descriptors are free again");
  }

  /**
   * A pending connection that cannot be accepted wakes the event loop continuously (Bun 1.4.5). A short delay per turn keeps that from
   * using a whole core.
   */
  #brake(): void {
    if (this.#isBraking) return;
    this.#isBraking = true;
    const brake = () => {
      this.#isBraking = this.#parts.countFree(1) === 0;
      if (!this.#isBraking) return;
      Bun.sleepSync(BRAKE_MS);
      setImmediate(brake);
    };
    brake();
  }
}

const NONE_FREE = new Set(["EMFILE", "ENFILE"]);

/** Opens descriptors and closes them again: the only count that works on every system. */
function countFreeDescriptors(enough: number): number {
  const opened: number[] = [];
  try {
    while (opened.length < enough) opened.push(openSync("/", "r"));
  } catch (error) {
    if (!NONE_FREE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
  return opened.length;
}

/** Usual minimum of systems; below it, a few hundred simultaneous visitors are too many. */
const ENOUGH = 1024;

/**
 * Limit of open file descriptors; undefined on systems without one, such as Windows. At its start Bun has raised the soft limit to the hard
 * one (at most 2^20).
 */
export function descriptorLimit(): number | undefined {
  // Network information is slow and not needed here.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}

/** A warning if the limit is low. */
export function fewDescriptors(limit: number): string | undefined {
  if (limit >= ENOUGH) return undefined;
  return `only ${limit} file descriptors may be open, one for each connection; raise the hard limit (LimitNOFILE=, ulimit -Hn)`;
}
