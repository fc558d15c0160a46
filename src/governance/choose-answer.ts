import type { IntentName } from "../domain/ids.ts";
import type { SubjectReference } from "../domain/subject.ts";
import type { Target, WeighedCandidate, WeighedCandidates } from "./candidates.ts";
import type { ModelChoice } from "./judged-message.ts";

/** Minimum probability at which a bot without its own threshold answers; follows from `COSTS`. */
export const ABOUT_SURE = 2 / 3;

/**
 * Cost of each response for a visitor, relative to a correct answer (0): a wrong answer, an additional answer beside the right one, a
 * clarifying question with the right choice, and no answer although there is one. Chosen by hand.
 */
export const COSTS = { wrong: 4, second: 0.3, asked: 1, refused: 1.5 };
/** Most choices of a clarifying question. */
const MAX_CHOICES = 3;
const MIN_CHOICE = 0.05;

/** The best response to a message. */
export type Choice =
  /** One candidate, or two that may both be meant, the more likely first. */
  | { kind: "answer"; targets: readonly Target[]; isOfParts?: true }
  | { kind: "ask"; intents: readonly IntentName[] }
  | { kind: "nothing" };

/**
 * A suspected message is cleared if something allowed has at least the first probability, and everything denied together at most the
 * second. On the tuning bots of `npm run bench:conversation`, no request for something denied comes near that.
 */
const ACQUITTED = { allowed: 0.5, denied: 0.1 };

/** Whether a message and each of its parts asks for something allowed with high probability, by meaning. Words alone clear nothing. */
export function acquits(
  weighed: readonly WeighedCandidates[],
  isDenied: (target: Target) => boolean,
  isAllowed: (target: Target) => boolean,
): boolean {
  const [whole] = weighed;
  const [best] = whole?.candidates ?? [];
  if (!whole?.usesMeaning || best === undefined || best.chance < ACQUITTED.allowed || !isAllowed(best.target))
    return false;
  return weighed.every(
    ({ candidates }) => sumOf(candidates.filter(({ target }) => isDenied(target))) <= ACQUITTED.denied,
  );
}

/** The answers that are permitted. */
export interface Allowance {
  /** The bot's own minimum probability for an answer, 0–1. */
  least?: number;
  isAllowed: (target: Target) => boolean;
  /** Whether these can be answered together. */
  mayJoin: (targets: readonly Target[]) => boolean;
}

/** Chooses the response with the lowest expected cost. Nothing if the most likely candidate is not allowed. */
export function chooseAnswer(
  { candidates, nothing }: WeighedCandidates,
  ofParts: readonly WeighedCandidates[],
  { least = 0, isAllowed, mayJoin }: Allowance,
): Choice {
  const parts = ofParts.flatMap(({ candidates: [best] }) => best ?? []);
  if (areTwo(parts, { isAllowed, mayJoin }))
    return { kind: "answer", targets: parts.map(({ target }) => target), isOfParts: true };
  const allowed = candidates.filter(({ target }) => isAllowed(target));
  const [best, second] = allowed;
  if (best === undefined || best !== candidates[0]) return { kind: "nothing" };
  const options: [cost: number, choice: Choice][] = [[COSTS.refused * (1 - nothing), { kind: "nothing" }]];
  const choices = allowed
    .filter(({ target, chance }) => target.kind === "intent" && chance >= MIN_CHOICE)
    .slice(0, MAX_CHOICES);
  if (choices.length > 1) {
    const intents = choices.flatMap(({ target }) => (target.kind === "intent" ? [target.intent] : []));
    const missed = 1 - nothing - sumOf(choices);
    options.push([COSTS.asked + COSTS.refused * missed, { kind: "ask", intents }]);
  }
  const answer = (answered: readonly WeighedCandidate[], cost: number) => {
    const chance = sumOf(answered);
    if (chance < least) return;
    const targets = answered.map(({ target }) => target);
    options.push([cost + COSTS.wrong * (1 - chance), { kind: "answer", targets }]);
  };
  answer([best], 0);
  if (second && mayJoin([best.target, second.target])) answer([best, second], COSTS.second);
  return options.reduce((cheapest, option) => (option[0] < cheapest[0] ? option : cheapest))[1];
}

/** The candidates without some of them, with the remaining probabilities rescaled. */
export function withoutTargets(
  { candidates, nothing, ...others }: WeighedCandidates,
  isLeftOut: (target: Target) => boolean,
): WeighedCandidates {
  const left = candidates.filter(({ target }) => !isLeftOut(target));
  const total = sumOf(left) + nothing;
  return {
    candidates: left.map((candidate) => ({ ...candidate, chance: candidate.chance / total })),
    nothing: nothing / total,
    ...others,
  };
}

/** Minimum probability of a candidate chosen by a model that has seen the conversation and all candidates. Chosen by hand. */
const CHOSEN = 0.9;

/** The candidates after a model chose one of them, or none of those shown. */
export function withChoice(weighed: WeighedCandidates, choice: ModelChoice): WeighedCandidates {
  const { candidates } = weighed;
  if (choice.kind === "none") {
    const isLeft = ({ target }: WeighedCandidate) =>
      target.kind === "passage" && !choice.passages.includes(target.passage);
    const left = candidates.map((candidate) => (isLeft(candidate) ? candidate : { ...candidate, chance: 0 }));
    return { ...weighed, candidates: byChance(left), nothing: 1 - sumOf(left) };
  }
  const chosen = candidates.find(({ target }) => isChosen(target, choice.target));
  if (chosen === undefined || chosen.chance >= CHOSEN) return weighed;
  const share = (1 - CHOSEN) / (1 - chosen.chance);
  const others = candidates.map((candidate) =>
    candidate === chosen
      ? { ...candidate, chance: CHOSEN }
      : { ...candidate, chance: candidate.chance * share },
  );
  return { ...weighed, candidates: byChance(others), nothing: weighed.nothing * share };
}

function isChosen(target: Target, { intent, passage }: SubjectReference): boolean {
  return target.kind === "intent" ? target.intent === intent : target.passage === passage?.id;
}

function byChance(candidates: readonly WeighedCandidate[]): WeighedCandidate[] {
  return candidates.toSorted((left, right) => right.chance - left.chance);
}

/** Minimum probability at which each of two parts is a question of its own. Chosen by hand. */
const CLEAR = 0.5;

function areTwo(
  parts: readonly WeighedCandidate[],
  { isAllowed, mayJoin }: Pick<Allowance, "isAllowed" | "mayJoin">,
): boolean {
  const [first, second] = parts;
  if (first === undefined || second === undefined || isSameTarget(first.target, second.target)) return false;
  const areClear = parts.every(({ chance, target }) => chance >= CLEAR && isAllowed(target));
  return areClear && mayJoin(parts.map(({ target }) => target));
}

export function isAmong(target: Target, targets: readonly Target[]): boolean {
  return targets.some((one) => isSameTarget(one, target));
}

function isSameTarget(one: Target, other: Target): boolean {
  if (one.kind === "intent") return other.kind === "intent" && one.intent === other.intent;
  return other.kind === "passage" && one.passage === other.passage;
}

function sumOf(candidates: readonly WeighedCandidate[]): number {
  return candidates.reduce((sum, { chance }) => sum + chance, 0);
}
