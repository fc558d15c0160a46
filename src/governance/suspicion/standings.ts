/** Indexes of a classifier's intents that a profile denies and allows; others are on neither list. */
export interface Standings {
  denied: readonly number[];
  allowed: readonly number[];
}
