import { type EpochMs, DAY_MS } from "../../domain/time.ts";
import type { ClockState } from "../../store/clock-guard.ts";
import { type Finding, formatSpan, findingsOf } from "./finding.ts";

const CLOCK = findingsOf("clock");

/** Tolerated difference between the clocks of two servers with one data folder. */
const TOLERANCE_MS = 5 * 60 * 1000;

/** Facts to check the clock against. */
export interface ClockWitnesses {
  now: EpochMs;
  latestTurnAt: EpochMs | undefined;
  /** The last time that a server considered correct. */
  clock: Pick<ClockState, "aheadMs" | "isTrusted"> | undefined;
  /** Commit date of the executable, for example `2026-11-22`. */
  builtFrom: string | undefined;
}

/** A clock behind a known event is wrong; one far ahead of the last heartbeat may be. Pure. */
export function judgeClock({ now, latestTurnAt, clock, builtFrom }: ClockWitnesses): Finding {
  const cure = "set the clock, and let it be kept by NTP (`timedatectl set-ntp true`)";
  const says = `the clock says ${new Date(now).toISOString()}`;
  if (builtFrom !== undefined && now < Date.parse(builtFrom) - DAY_MS) {
    const message = `${says}, and this executable was built from a commit of ${builtFrom}`;
    return CLOCK.mend(message, cure);
  }
  if (latestTurnAt !== undefined && latestTurnAt > now + TOLERANCE_MS) {
    const message = `${says}, ${formatSpan(latestTurnAt - now)} before the latest message that is stored: it was set back, or was ahead`;
    return CLOCK.mend(message, cure);
  }
  if (clock && !clock.isTrusted) {
    return CLOCK.mend(
      `${says}, ${formatSpan(clock.aheadMs)} after a server last ran: the clock may have jumped, so nothing is deleted for its age`,
      "if the clock is right: `parley doctor --confirm-clock`",
    );
  }
  return CLOCK.fine(says);
}
