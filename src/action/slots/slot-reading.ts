import type { ReadingDoubt, Slot } from "../../domain/action.ts";
import type { EpochMs } from "../../domain/time.ts";

/** Circumstances of reading a value. */
export interface ReadingContext {
  /** The bot's language, a BCP 47 tag. */
  language: string;
  timeZone: string;
  now: EpochMs;
  /** The slot was asked for, so that a reply needs no word that names the value. */
  isAsked: boolean;
}

/** A value found in a text, in the form in which it is sent. */
export interface SlotReading {
  value: string;
  /** The value is ambiguous. */
  doubt?: ReadingDoubt;
}

/** Reads the distinct values for a slot in a text, in order. Several are ambiguous and count as none. */
export type ReadSlot = (text: string, slot: Slot, context: ReadingContext) => SlotReading[];

/** A language tag's region in capitals; undefined without one. */
export function regionOf(language: string): string | undefined {
  return /-([A-Za-z]{2})(?:-|$)/.exec(language)?.[1]?.toUpperCase();
}
