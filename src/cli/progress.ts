import type { OnTraining, TrainingWork } from "../bots/training.ts";
import { counted } from "./format.ts";
import type { Terminal } from "./terminal.ts";

/** Shorter work shows no progress. */
const QUIET_MS = 700;
const REDRAW_MS = 100;
/** If stderr is not a terminal: time before the first line and between lines. */
const LINE_MS = 10_000;
const BAR_WIDTH = 24;
/** Below this duration an estimate of the remaining time is too unreliable. */
const MEASURED_MS = 3000;
const MEASURED_SHARE = 0.03;

type ProgressTerminal = Pick<Terminal, "now" | "isErrTerminal" | "showProgress" | "say">;

/**
 * Progress of long work on stderr: a redrawn bar on a terminal, else a line from time to time. Short work shows nothing. Disposing removes
 * the bar.
 */
export class Progress implements Disposable {
  readonly #terminal: ProgressTerminal;
  readonly #startedAt: number;
  #dueAt: number;

  constructor(terminal: ProgressTerminal) {
    this.#terminal = terminal;
    this.#startedAt = terminal.now();
    this.#dueAt = terminal.now() + (terminal.isErrTerminal ? QUIET_MS : LINE_MS);
  }

  /** @param share of the work done, 0–1. */
  report(label: string, share: number): void {
    const { now, isErrTerminal, showProgress, say } = this.#terminal;
    const at = now();
    if (at < this.#dueAt) return;
    this.#dueAt = at + (isErrTerminal ? REDRAW_MS : LINE_MS);
    const percent = `${Math.floor(share * 100)} %`;
    if (isErrTerminal) showProgress(`${bar(share)} ${percent.padStart(5)}  ${label}`);
    else say(`${label}: ${percent}`);
  }

  /** Announces long work at once. If stderr is not a terminal, the next line follows as soon as the remaining time can be estimated. */
  announce(text: string): void {
    const { now, say, showProgress } = this.#terminal;
    showProgress(undefined);
    say(text);
    this.#dueAt = Math.min(this.#dueAt, now() + MEASURED_MS);
  }

  /** ", about 40 s left", extrapolated from the work done; empty if too little is done. */
  timeLeft(share: number): string {
    const elapsedMs = this.#terminal.now() - this.#startedAt;
    if (elapsedMs < MEASURED_MS || share < MEASURED_SHARE || share === 1) return "";
    return `, about ${durationInWords((elapsedMs * (1 - share)) / share)} left`;
  }

  [Symbol.dispose](): void {
    this.#terminal.showProgress(undefined);
  }
}

/** Rounded to the precision of the estimate. */
function durationInWords(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 90
    ? `${Math.max(5, Math.ceil(seconds / 5) * 5)} s`
    : `${Math.round(seconds / 60)} minutes`;
}

function bar(share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
}

/** Above this number of steps, training takes more than a few seconds and is announced. 100 intents of 100 examples are slightly above. */
const MANY_STEPS = 3_000_000;

export const isLargeTraining = ({ steps }: TrainingWork): boolean => steps > MANY_STEPS;

/** Shows the progress of training. Training of a large bot is announced, then the remaining time is shown. */
export function reportTraining(progress: Progress): OnTraining {
  let isLarge = false;
  return ({ botId, done, total, share, workDone, work }) => {
    if (share === 0 && isLargeTraining(work)) {
      isLarge = true;
      progress.announce(`training ${botId}: ${inWords(work)}; this takes a while`);
    }
    const place = total > 1 ? `, ${done + 1} of ${total}` : "";
    const left = isLarge ? progress.timeLeft(workDone) : "";
    progress.report(`training ${botId}${place}${left}`, workDone);
  };
}

function inWords({ intents, texts }: TrainingWork): string {
  return `${counted(intents, "intent")} with ${counted(texts, "text")} to learn from`;
}
