import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

import type { Problem } from "../api/problem.ts";
import { asProblem } from "../api/resource.ts";
import type { BotDraftEditor } from "./bot-draft.ts";

/** Progress of work on a text. */
export interface WorkStep {
  step: string;
  done: number;
  of: number;
}

type Run<Result> = (
  yaml: string,
  onStep: (step: WorkStep) => void,
  signal: AbortSignal,
  /** Receives partial results. */
  onPart: (part: Result) => void,
) => Promise<Result>;

/** Work starts after a pause of this length in editing. */
const PAUSE_MS = 300;

/** Works on a text again after each edit, for example calculates the effects of publishing it. The earlier result stays and is marked as old. */
export class LiveWork<Result> {
  readonly #held = signal<{ text: string; result: Result } | undefined>(undefined);
  readonly #asked = signal<string | undefined>(undefined);
  readonly #step = signal<WorkStep | undefined>(undefined);
  readonly #problem = signal<Problem | undefined>(undefined);
  readonly #run: Run<Result>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;

  constructor(run: Run<Result>) {
    this.#run = run;
  }

  readonly result: ReadonlySignal<Result | undefined> = computed(() => this.#held.value?.result);
  /** The result belongs to a text before the latest edit. */
  readonly isOld = computed(() => this.#held.value?.text !== this.#asked.value);
  /** Progress of the calculation; undefined if none is running. */
  readonly step: ReadonlySignal<WorkStep | undefined> = computed(() => this.#step.value);
  readonly problem: ReadonlySignal<Problem | undefined> = computed(() => this.#problem.value);

  /** Follows a text. @returns a function that stops it. */
  follow(text: ReadonlySignal<string>): () => void {
    const stop = effect(() => this.#ask(text.value));
    return () => {
      stop();
      this.#stop();
    };
  }

  /** Calculates again, for example after a failure. */
  again(): void {
    const text = this.#asked.peek();
    if (text !== undefined) void this.#start(text);
  }

  #ask(text: string): void {
    if (text === this.#asked.peek() && this.#problem.peek() === undefined) return;
    this.#stop();
    this.#asked.value = text;
    this.#timer = setTimeout(() => void this.#start(text), this.#held.peek() === undefined ? 0 : PAUSE_MS);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#step.value = undefined;
    if (this.isOld.peek()) this.#asked.value = undefined;
  }

  async #start(text: string): Promise<void> {
    this.#running?.abort();
    const controller = new AbortController();
    this.#running = controller;
    this.#problem.value = undefined;
    this.#step.value = { step: "reading", done: 0, of: 1 };
    const whileWanted = (change: () => void) => {
      if (!controller.signal.aborted) change();
    };
    try {
      const result = await this.#run(
        text,
        (step) => whileWanted(() => (this.#step.value = step)),
        controller.signal,
        (part) => whileWanted(() => (this.#held.value = { text, result: part })),
      );
      whileWanted(() => (this.#held.value = { text, result }));
    } catch (error) {
      whileWanted(() => (this.#problem.value = asProblem(error)));
    }
    whileWanted(() => (this.#step.value = undefined));
  }
}

/** Works on the latest sound text of a draft while a component is shown. @param run of the first drawing is used. */
export function useWork<Result>(editor: Pick<BotDraftEditor, "sound">, run: Run<Result>): LiveWork<Result> {
  const work = useMemo(() => new LiveWork(run), [editor]);
  useEffect(() => work.follow(editor.sound), [work, editor]);
  return work;
}
