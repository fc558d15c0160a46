import type { OnTraining, TrainingWork } from "../bots/training.ts";
import { counted } from "./format.ts";
import type { Terminal } from "./terminal.ts";

/** Work that takes less time shows no progress. */
const QUIET_MS = 700;
const REDRAW_MS = 100;
/** Where stderr is no terminal: time before the first line, and between two lines. */
const LINE_MS = 10_000;
const BAR_WIDTH = 24;
/** Less work than this, or in less time, says little about the rest. */
const MEASURED_MS = 3000;
const MEASURED_SHARE = 0.03;

type ProgressTerminal = Pick<Terminal, "now" | "isErrTerminal" | "showProgress" | "say">;

/**
 * Shows the progress of long work on stderr: on a terminal as a bar that is redrawn, elsewhere as a line from time to time. Work
 * that is soon done shows nothing. Disposing of it takes the bar away.
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

  /** @param share of the work that is done, 0–1. */
  report(label: string, share: number): void {
    const { now, isErrTerminal, showProgress, say } = this.#terminal;
    const at = now();
    if (at < this.#dueAt) return;
    this.#dueAt = at + (isErrTerminal ? REDRAW_MS : LINE_MS);
    const percent = `${Math.floor(share * 100)} %`;
    if (isErrTerminal) showProgress(`${bar(share)} ${percent.padStart(5)}  ${label}`);
    else say(`${label}: ${percent}`);
  }

  /** Says at once that work is large. Where stderr is no terminal, the next line comes as soon as it can tell how much time is left. */
  announce(text: string): void {
    const { now, say, showProgress } = this.#terminal;
    showProgress(undefined);
    say(text);
    this.#dueAt = Math.min(this.#dueAt, now() + MEASURED_MS);
  }

  /** ", about 40 s left", in proportion to what has been done; nothing where too little has been. */
  timeLeft(share: number): string {
    const elapsedMs = this.#terminal.now() - this.#startedAt;
    if (elapsedMs < MEASURED_MS || share < MEASURED_SHARE || share === 1) return "";
    return `, about ${durationInWords((elapsedMs * (1 - share)) / share)} left`;
  }

  [Symbol.dispose](): void {
    this.#terminal.showProgress(undefined);
  }
}

/** No more precise than it is known. */
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

/** A training that takes more than some seconds; 100 intents of 100 examples have a little more. */
const MANY_STEPS = 3_000_000;

export const isLargeTraining = ({ steps }: TrainingWork): boolean => steps > MANY_STEPS;

/** Shows how far the training of bots is. Of a large bot it says so before, and then how much time is left. */
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
