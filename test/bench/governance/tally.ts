import type { Decision, Restriction } from "../../../src/domain/decision.ts";

/** The outcome of a message. */
export type Outcome = Pick<Decision, "kind" | "intent" | "rule"> & Partial<Pick<Restriction, "reason">>;

/** Counts of messages that were denied, and that were restricted for any reason. */
export interface Tally {
  total: number;
  denied: number;
  restricted: number;
}

export const emptyTally = (): Tally => ({ total: 0, denied: 0, restricted: 0 });

export function count(decision: Outcome, ...tallies: Tally[]): void {
  for (const tally of tallies) {
    tally.total++;
    if (decision.kind === "allowed") continue;
    tally.restricted++;
    if (decision.reason === "DENY_LIST") tally.denied++;
  }
}

export function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { total, denied, restricted }) => ({
      total: sum.total + total,
      denied: sum.denied + denied,
      restricted: sum.restricted + restricted,
    }),
    emptyTally(),
  );
}

/** The share that was restricted, for any reason; NaN without messages. */
export const restrictedShare = ({ restricted, total }: Tally): number => restricted / total;
/** The share that the deny list denied; NaN without messages. */
export const deniedShare = ({ denied, total }: Tally): number => denied / total;
/** The share that was answered; NaN without messages. */
export const answeredShare = (tally: Tally): number => 1 - restrictedShare(tally);
