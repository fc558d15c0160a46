import type { ReadingDoubt, Slot } from "../../domain/action.ts";
import type { EpochMs } from "../../domain/time.ts";

/** What is known when a value is read. */
export interface ReadingContext {
  /** The bot's language, a BCP 47 tag. */
  language: string;
  timeZone: string;
  now: EpochMs;
  /** The slot was asked for, so that a reply which is nothing but a value needs no word that says what it is. */
  isAsked: boolean;
}

/** A value that was found in a text, as it is sent. */
export interface SlotReading {
  value: string;
  /** It could have been read in another way. */
  doubt?: ReadingDoubt;
}

/** The values of a text for a slot, without repetitions, in its order. Several are none: it is not known which is meant. */
export type ReadSlot = (text: string, slot: Slot, context: ReadingContext) => SlotReading[];

/** A language tag's region, in capitals; undefined where it names none. */
export function regionOf(language: string): string | undefined {
  return /-([A-Za-z]{2})(?:-|$)/.exec(language)?.[1]?.toUpperCase();
}
