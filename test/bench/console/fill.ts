import type { Vary } from "../scale/bulk-rows.ts";

/** Words of messages, the frequent ones first, as words of a language are: the n-th is said 1/n as often as the first. */
const WORDS = Array.from({ length: 20_000 }, (_, i) => wordOf(i));
const WORDS_PER_MESSAGE = 8;
/** Of so many messages one has this outcome, as in a shop. */
const UNMATCHED_EVERY = 9;
const ASKED_EVERY = 14;
const REFUSED_EVERY = 25;

/** A pronounceable word of its own for each number. */
function wordOf(number: number): string {
  const syllables = ["ba", "ko", "ri", "tu", "ne", "sha", "lo", "mi", "da", "vu", "pe", "gro"];
  let word = "";
  for (let rest = number + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length]!;
  }
  return word;
}

/** The word that is `rank`-th most frequent. */
export function wordAt(rank: number): string {
  return WORDS[rank]!;
}

/** Turns with various words and outcomes: answered, asked back, not understood, refused. */
export const varyTurns: Vary = (number) => {
  // The same at each run: a linear congruential generator (Numerical Recipes).
  let state = (number * 2_654_435_761) >>> 0;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const words = Array.from(
    { length: WORDS_PER_MESSAGE },
    () => WORDS[Math.floor(WORDS.length ** next()) - 1] ?? WORDS[0]!,
  );
  return { input: words.join(" "), ...becomes(number) };
};

function becomes(number: number): Record<string, unknown> {
  const restricted = (reason: string, intent: string | null) => ({
    intent,
    capability_allowed: 0,
    enforcement_reason: reason,
  });
  if (number % REFUSED_EVERY === 0) return restricted("DENY_LIST", "account.deletion");
  if (number % ASKED_EVERY === 0) {
    const suggestions = [{ intent: "orders.status", label: "an order" }];
    return { ...restricted("no_intent_match", null), receipt: receiptWith({ suggestions }) };
  }
  return number % UNMATCHED_EVERY === 0
    ? { ...restricted("no_intent_match", null), receipt: receiptWith({}) }
    : {};
}

function receiptWith(fields: object): string {
  const scores = [{ intent: "orders.status", confidence: 0.3 }];
  return JSON.stringify({
    botVersion: 1,
    rule: "no-match",
    thresholds: { match: 0.5, deny: 0.4 },
    readings: [{ reading: "plain", scores, inScope: 0.3, denied: 0.01 }],
    stagesMs: { judge: 1 },
    ...fields,
  });
}
