import type { BotDocument } from "../../domain/bot.ts";
import type { CandidateReceipt, DecisionReceipt, DecisionRule } from "../../domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import { DISAGREEMENTS } from "../../governance/follow-up/replies.ts";
import { LONGEST_PAUSE_MS } from "../../governance/follow-up/said-before.ts";
import { isSocialIntent, socialIntentOf } from "../../governance/social-policy.ts";
import { termsOf } from "../../knowledge/terms.ts";
import type { AnsweredTurn } from "../../store/interface/audit.ts";
import { contentWordsOf } from "../../text/content-words.ts";
import { HARMLESS } from "../../text/follow-up-words.ts";
import { saysOtherwise } from "./says-otherwise.ts";

/** Why a turn is likely wrong. */
export type WrongSign =
  /** In the visitor's words; null where they gave no reason. */
  | { kind: "rated_down"; reason: string | null }
  /** The visitor said next that it was wrong, or what was meant; or the same in other words. */
  | { kind: "complained" | "reworded"; said: string }
  /** The visitor asked for a person next. */
  | { kind: "left_for_person" }
  /** A document, by its id, or an intent that was surer than what was said, or nearer in meaning. */
  | { kind: "other_nearer"; document: string }
  | { kind: "other_nearer"; intent: string }
  /** The chance, 0–1, by which it was decided: others that were as sure were often wrong. */
  | { kind: "unsure"; chance: number }
  /** All that the message names: neither the answer nor what it is given for has any of it. */
  | { kind: "lacks_words"; words: readonly string[] };

/**
 * Below, a refusal or an answer from documents is often wrong: on the tuning half of `npm run bench:conversation`, 8 of 12 such refusals and 0 of 14
 * others were, and 8 of 20 such answers against 13 of 87 others. Intents' answers are as often right below as above.
 */
const SURE_REFUSAL = 0.65;
const SURE_PASSAGE = 0.8;
/** In log odds: what is so much nearer to a message in meaning was passed over for its words; 7 of 17 such answers were wrong there. */
const NEARER = 0.5;
/** Of their words, two messages that say the same have at least this share in common. */
const SAME_WORDS = 0.6;

/** Rules whose answers are given for something else than the words of the message. */
const NOT_BY_WORDS: ReadonlySet<DecisionRule> = new Set(["default-intent", "choice", "data"]);

/** Numbers, and what is left of words in short ("r", "mn"): an answer need not have them. */
const SAYS_LITTLE = /^(?:\p{N}.*|\p{Script=Latin}{1,2})$/u;

type Answering = Pick<BotDocument, "intents">;

/** Whether a turn stated something, or refused: courtesies, questions back, links that may help and ways to a person are not wrong. */
export function mayBeWrong({ decision, intent, receipt: { rule } }: AnsweredTurn, bot: Answering): boolean {
  if (isRefusal(decision)) return true;
  if (decision !== "allowed" || intent === null || isSocialIntent(intent)) return false;
  const isForPerson = bot.intents?.some(({ name, handoff }) => name === intent && handoff === true);
  return rule !== "knowledge-may-help" && rule !== "said-before" && rule !== "handed-over" && !isForPerson;
}

/** The signs that a turn which may be wrong is so, the visitor's own first; none where nothing speaks for it. Pure. */
export function wrongSigns(turn: AnsweredTurn, bot: Answering): WrongSign[] {
  return [...signsOfVisitor(turn), ...signsOfDecision(turn), ...signOfWords(turn, bot)];
}

/** Whether it is a sign that the visitor gave. */
export function isVisitors({ kind }: WrongSign): boolean {
  return kind === "rated_down" || kind === "complained" || kind === "reworded" || kind === "left_for_person";
}

function isRefusal(decision: AnsweredTurn["decision"]): boolean {
  return decision === "DENY_LIST" || decision === "NOT_IN_ALLOW_LIST";
}

/** What the visitor did: the votes of a few, and what anybody says next. Who is refused asks for a person, and rightly so. */
function signsOfVisitor(turn: AnsweredTurn): WrongSign[] {
  const { rating, why, input, next, at, decision } = turn;
  const isNext = next !== null && next.at - at <= LONGEST_PAUSE_MS;
  const asksForPerson = turn.askedForPerson || (isNext && next.intent === socialIntentOf("person"));
  return [
    ...(rating === "down" ? [{ kind: "rated_down", reason: why } as const] : []),
    ...(isNext && complains(next, turn.response) ? [{ kind: "complained", said: next.input } as const] : []),
    ...(isNext && saysAgain(input, next.input) ? [{ kind: "reworded", said: next.input } as const] : []),
    ...(asksForPerson && !isRefusal(decision) ? [{ kind: "left_for_person" } as const] : []),
  ];
}

/** A no is no complaint where the answer asked something. */
function complains({ intent, input }: NonNullable<AnsweredTurn["next"]>, response: string): boolean {
  if (intent === socialIntentOf("repair") || saysOtherwise(input)) return true;
  const [first = ""] = input.toLowerCase().match(/\p{L}+/u) ?? [];
  return DISAGREEMENTS.has(first) && !/[?？؟]\s*$/u.test(response);
}

function saysAgain(first: string, second: string): boolean {
  const [before, after] = [contentWordsOf(first), contentWordsOf(second)];
  const again = before.length - lackingIn(before, second).length;
  return again > 0 && again / (before.length + after.length - again) >= SAME_WORDS;
}

function signsOfDecision({ decision, intent, receipt }: AnsweredTurn): WrongSign[] {
  if (isRefusal(decision)) {
    const chance = chanceOfDenial(receipt);
    return receipt.readings.length > 0 && chance > 0 && chance < SURE_REFUSAL
      ? [{ kind: "unsure", chance }]
      : [];
  }
  const [said, ...others] = receipt.candidates ?? [];
  if (said === undefined || !isSaid(said, { intent, receipt }))
    return said === undefined ? [] : [nearer(said)];
  const other = others.find(({ speaking }) => speaking.meaning > said.speaking.meaning + NEARER);
  return [
    ...(other ? [nearer(other)] : []),
    ...(intent === KNOWLEDGE_INTENT && said.chance < SURE_PASSAGE
      ? [{ kind: "unsure", chance: said.chance } as const]
      : []),
  ];
}

function chanceOfDenial({ readings }: AnsweredTurn["receipt"]): number {
  return Math.max(0, ...readings.flatMap(({ denied, clause }) => [denied, clause?.denied ?? 0]));
}

function isSaid(candidate: CandidateReceipt, { intent, receipt }: Pick<AnsweredTurn, "intent" | "receipt">) {
  const said: readonly (string | null)[] = [intent, ...(receipt.alsoIntents ?? [])];
  return said.includes(candidate.intent ?? KNOWLEDGE_INTENT);
}

function nearer({ intent, passage }: CandidateReceipt): WrongSign {
  return intent === undefined
    ? { kind: "other_nearer", document: passage!.document }
    : { kind: "other_nearer", intent };
}

function signOfWords(
  { decision, intent, input, response, receipt }: AnsweredTurn,
  bot: Answering,
): WrongSign[] {
  if (isRefusal(decision) || NOT_BY_WORDS.has(receipt.rule)) return [];
  const asked = contentWordsOf(input).filter((word) => !SAYS_LITTLE.test(word) && !HARMLESS.has(word));
  const given = [response, ...titlesIn(receipt), ...textsOf(bot, [intent!, ...(receipt.alsoIntents ?? [])])];
  const words = lackingIn(asked, given.join("\n"));
  return words.length > 0 && words.length === asked.length ? [{ kind: "lacks_words", words }] : [];
}

function titlesIn({ knowledge }: Pick<DecisionReceipt, "knowledge">): string[] {
  return knowledge?.sources?.map(({ title }) => title) ?? [];
}

/** What intents are given for: their labels and examples. */
function textsOf({ intents = [] }: Answering, names: readonly string[]): string[] {
  return intents
    .filter(({ name }) => names.includes(name))
    .flatMap(({ label, examples = [] }) => [...(label === undefined ? [] : [label]), ...examples]);
}

/** The words that a text has in no form: neither they nor their first letters. */
function lackingIn(words: readonly string[], text: string): string[] {
  const terms = termsOf(text);
  return words.filter((word) => termsOf(word).isDisjointFrom(terms));
}
