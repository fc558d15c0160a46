/** Indexes of a classifier's intents that a profile denies and allows; the rest stands in neither list. */
export interface Standings {
  denied: readonly number[];
  allowed: readonly number[];
}
