import type { OnTraining } from "../bots/training.ts";
import type { Terminal } from "./terminal.ts";

/** Work that takes less time shows no progress. */
const QUIET_MS = 700;
const REDRAW_MS = 100;
/** Where stderr is no terminal: time before the first line, and between two lines. */
const LINE_MS = 10_000;
const BAR_WIDTH = 24;

type ProgressTerminal = Pick<Terminal, "now" | "isErrTerminal" | "showProgress" | "say">;

/**
 * Shows the progress of long work on stderr: on a terminal as a bar that is redrawn, elsewhere as a line from time to time. Work
 * that is soon done shows nothing. Disposing of it takes the bar away.
 */
export class Progress implements Disposable {
  readonly #terminal: ProgressTerminal;
  #dueAt: number;

  constructor(terminal: ProgressTerminal) {
    this.#terminal = terminal;
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

  [Symbol.dispose](): void {
    this.#terminal.showProgress(undefined);
  }
}

function bar(share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
}

/** Shows how far the training of bots is. */
export function reportTraining(progress: Progress): OnTraining {
  return ({ botId, done, total, share }) => {
    const place = total > 1 ? `, ${done + 1} of ${total}` : "";
    progress.report(`training ${botId}${place}`, (done + share) / total);
  };
}
