/** What one seed measures. Shares and areas under curves, 0–1. */
export interface Figures {
  /** Realistic bots: the best intent is right; chances of being in scope tell near-domain and far questions apart. */
  realRight: number;
  realNear: number;
  realFar: number;
  /** The same of simulated bots; "beside" are intents of the same data set, "elsewhere" those of others. */
  drawnRight: number;
  drawnBeside: number;
  drawnElsewhere: number;
  /** Public data sets with ten examples an intent. */
  publicRight: number;
  /** A bot of 15,000 examples: accuracy, out of scope, and the calibration error, which had best be small. */
  largeRight: number;
  largeFar: number;
  largeError: number;
  /** Governance: restricted, denied by the deny list, or answered. */
  denied: number;
  smuggled: number;
  smuggledDenied: number;
  allowed: number;
  allowedTwice: number;
  allowedPretext: number;
}

export type Figure = keyof Figures;

/** Of a bot of 20 intents with 20 examples, the encoder aside. */
export interface Costs {
  /** CPU milliseconds of training. */
  trainMs: number;
  /** Of a message. */
  microseconds: number;
  /** Of the model. */
  bytes: number;
}

export interface Measured {
  costs: Costs;
  seeds: readonly Figures[];
  /** Of the whole engine: the same, with calibrations that lack some signals. */
  withoutSignals?: Readonly<Record<string, readonly Figures[]>>;
}

export const FIGURES: readonly { name: Figure; title: string }[] = [
  { name: "realRight", title: "real" },
  { name: "realNear", title: "near" },
  { name: "realFar", title: "far" },
  { name: "drawnRight", title: "drawn" },
  { name: "drawnBeside", title: "beside" },
  { name: "drawnElsewhere", title: "else" },
  { name: "publicRight", title: "public" },
  { name: "largeRight", title: "large" },
  { name: "largeFar", title: "l.far" },
  { name: "largeError", title: "l.error" },
  { name: "denied", title: "denied" },
  { name: "smuggled", title: "smug." },
  { name: "smuggledDenied", title: "s.DENY" },
  { name: "allowed", title: "allowed" },
  { name: "allowedTwice", title: "twice" },
  { name: "allowedPretext", title: "pretext" },
];

/** Figures that had best be small. */
const SMALL_IS_GOOD: ReadonlySet<Figure> = new Set(["largeError"]);

/** What a part is worth by one figure: the mean of what is lost without it, and its standard deviation over the seeds. */
export interface Worth {
  mean: number;
  spread: number;
}

export function worthOf(
  figure: Figure,
  whole: Pick<Measured, "seeds">,
  without: Pick<Measured, "seeds">,
): Worth {
  const sign = SMALL_IS_GOOD.has(figure) ? -1 : 1;
  const losses = whole.seeds.map((seed, i) => sign * (seed[figure] - without.seeds[i]![figure]));
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  const variance = losses.reduce((sum, loss) => sum + (loss - mean) ** 2, 0) / (losses.length - 1);
  return { mean, spread: Math.sqrt(variance) };
}

/** Less is within what a change may cost. */
const LEAST_WORTH = 0.003;

/** More than chance: at least twice the spread, and three tenths of a point. */
export function isWorth({ mean, spread }: Worth): boolean {
  return mean >= 2 * spread && mean >= LEAST_WORTH;
}
