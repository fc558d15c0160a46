import { InvalidArgumentError } from "@commander-js/extra-typings";

/** Reads the value of an option that says how many of something are shown. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("Use a number of 1 or more.");
}
