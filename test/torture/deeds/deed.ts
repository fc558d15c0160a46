import type { Random } from "../../../src/intent/training/random.ts";
import type { TortureFolder } from "../folder.ts";
import type { Tally } from "../tally.ts";
import { type OperatedLine, ServerGone, StoreBusy } from "./ask.ts";

/** What everybody who does something beside talking has at hand. */
export interface DeedParts {
  folder: TortureFolder;
  random: Random;
  tally: Tally;
  /** Another one each time: it makes a text the only one of its kind. */
  nextNumber: () => number;
}

/** Something that operators or visitors do again and again, and that remembers what it was told. */
export interface Deed {
  /** How many do it at a time; with one, nobody else changes what it changes. */
  readonly hands: number;
  /** Does it once. @throws ServerGone */
  act(line: OperatedLine, round: number): Promise<void>;
  /** Compares what it was told with what a server says that was started after the kill. @param isLast looks at all of it, not at the news. */
  check(line: OperatedLine, place: string, isLast: boolean): Promise<void>;
}

const MAX_PAUSE_MS = 20;
const MAX_CHECKS = 10;

/** Compares what a deed was told; again where the store was too busy to say. */
export async function check(deed: Deed, ...told: Parameters<Deed["check"]>): Promise<void> {
  for (let left = MAX_CHECKS; ; left--) {
    try {
      return await deed.check(...told);
    } catch (error) {
      if (!(error instanceof StoreBusy) || left === 1) throw error;
      await Bun.sleep(500);
    }
  }
}

/** All deeds at a time, until the servers are gone or it is told to stop. */
export class Crew {
  readonly #parts: DeedParts;
  readonly #working: Promise<void>[];
  #isWorking = true;

  constructor(deeds: readonly Deed[], lines: readonly OperatedLine[], round: number, parts: DeedParts) {
    this.#parts = parts;
    this.#working = deeds.flatMap((deed, place) =>
      Array.from({ length: deed.hands }, (_, hand) =>
        this.#work(deed, lines[(place + hand) % lines.length]!, round),
      ),
    );
  }

  async stop(): Promise<void> {
    this.#isWorking = false;
    await Promise.all(this.#working);
  }

  async #work(deed: Deed, line: OperatedLine, round: number): Promise<void> {
    const { random, tally } = this.#parts;
    try {
      while (this.#isWorking) {
        await deed.act(line, round);
        await Bun.sleep(random() * MAX_PAUSE_MS);
      }
    } catch (error) {
      if (error instanceof StoreBusy) tally.tried.unavailable++;
      if (!(error instanceof ServerGone))
        tally.note("unexpected", `${deed.constructor.name}: ${String(error)}`);
    }
  }
}
