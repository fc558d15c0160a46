import type { BotDocument } from "../domain/bot.ts";
import type { CandidateReceipt, DecisionReceipt, DecisionRule } from "../domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../domain/ids.ts";
import { MAX_PAUSE_MS } from "../governance/follow-up/follow-up.ts";
import { DISAGREEMENTS } from "../governance/follow-up/replies.ts";
import { isSocialIntent, socialIntentOf } from "../governance/social-policy.ts";
import { termsOf } from "../knowledge/terms.ts";
import type { AnsweredTurn } from "../store/interface/audit.ts";
import { contentWordsOf } from "../text/content-words.ts";
import { HARMLESS } from "../text/follow-up-words.ts";
import { languageOf } from "../text/language-of.ts";
import { normaliseText } from "../text/normalise.ts";

/** A turn with signs that it is wrong. */
export interface LikelyWrong extends AnsweredTurn {
  /** At least one. */
  signs: readonly WrongSign[];
}

/** A bot's turns that are likely wrong: those with a sign from the visitor first, then those with the most signs, newest first. Pure. */
export function findLikelyWrong(
  turns: readonly AnsweredTurn[],
  bot: Pick<BotDocument, "intents">,
): LikelyWrong[] {
  const visitors = ({ signs }: LikelyWrong) => signs.filter(isVisitors).length;
  return turns
    .filter((turn) => mayBeWrong(turn, bot))
    .map((turn) => ({ ...turn, signs: wrongSigns(turn, bot) }))
    .filter(({ signs }) => signs.length > 0)
    .toSorted((a, b) => visitors(b) - visitors(a) || b.signs.length - a.signs.length || b.at - a.at);
}

/** @param documents titles of documents, by id. */
export function signInWords(sign: WrongSign, documents: ReadonlyMap<string, string>): string {
  switch (sign.kind) {
    case "rated_down":
      return `the visitor rated it down${sign.reason === null ? "" : `: “${sign.reason}”`}`;
    case "complained":
      return `the visitor then said: “${sign.said}”`;
    case "reworded":
      return `the visitor said it again: “${sign.said}”`;
    case "left_for_person":
      return "the visitor then asked for a person";
    case "other_nearer":
      return "intent" in sign
        ? `${sign.intent} is nearer in meaning`
        : `a document is nearer in meaning: ${documents.get(sign.document) ?? sign.document}`;
    case "unsure":
      return `it was ${Math.round(100 * sign.chance)} % sure`;
    case "lacks_words":
      return `the answer says nothing of ${sign.words.map((word) => `“${word}”`).join(", ")}`;
    default:
      throw sign satisfies never;
  }
}

/** A sign that a turn is wrong. */
export type WrongSign =
  /** The visitor's reason; null if none was given. */
  | { kind: "rated_down"; reason: string | null }
  /** The next message complained, corrected, or repeated the question in other words. */
  | { kind: "complained" | "reworded"; said: string }
  /** The visitor then asked for a person. */
  | { kind: "left_for_person" }
  /** Another document (by id) or intent had a higher probability or similarity. */
  | { kind: "other_nearer"; document: string }
  | { kind: "other_nearer"; intent: string }
  /** The deciding probability (0–1) was low; decisions like this were often wrong. */
  | { kind: "unsure"; chance: number }
  /** Neither the answer nor its intent contains any of the message's content words. */
  | { kind: "lacks_words"; words: readonly string[] };

/**
 * Probability below which a refusal or document answer is often wrong. On the tuning half of `npm run bench:conversation`, 8 of 12 such
 * refusals and 0 of 14 others were wrong, and 8 of 20 such answers against 13 of 87 others. Answers of intents are no more often wrong
 * below it.
 */
const SURE_REFUSAL = 0.65;
const SURE_PASSAGE = 0.8;
/**
 * Minimum difference in log odds at which a candidate nearer in meaning should have won; 7 of 17 such answers were wrong on the same data.
 */
const NEARER = 0.5;
/** Minimum share of common words at which two messages say the same. Chosen by hand. */
const SAME_WORDS = 0.6;

/** Rules that decide by something other than the words of the message. */
const NOT_BY_WORDS: ReadonlySet<DecisionRule> = new Set(["default-intent", "choice", "data"]);

/** Numbers and very short words ("r", "mn"), which an answer need not contain. */
export const SAYS_LITTLE = /^(?:\p{N}.*|\p{Script=Latin}{1,2})$/u;

type Answering = Pick<BotDocument, "intents">;

/**
 * Whether a turn made a statement or refused. Small talk, clarifying questions, suggested links and hand-offs are not checked. Replies to
 * an action's questions must never be listed: they are personal data, such as order numbers and e-mail addresses.
 */
export function mayBeWrong({ decision, intent, receipt }: AnsweredTurn, bot: Answering): boolean {
  const { rule, action } = receipt;
  if (rule === "action" || action?.filled?.some(({ from }) => from === "reply")) return false;
  if (isRefusal(decision)) return true;
  if (decision !== "allowed" || intent === null || isSocialIntent(intent)) return false;
  const isForPerson = bot.intents?.some(({ name, handoff }) => name === intent && handoff === true);
  return rule !== "knowledge-may-help" && rule !== "said-before" && rule !== "handed-over" && !isForPerson;
}

/** Signs that a turn is wrong, the visitor's own first. Pure. */
export function wrongSigns(turn: AnsweredTurn, bot: Answering): WrongSign[] {
  return [...signsOfVisitor(turn), ...signsOfDecision(turn), ...signOfWords(turn, bot)];
}

/** Whether the visitor gave the sign. */
function isVisitors({ kind }: WrongSign): boolean {
  return kind === "rated_down" || kind === "complained" || kind === "reworded" || kind === "left_for_person";
}

function isRefusal(decision: AnsweredTurn["decision"]): boolean {
  return decision === "DENY_LIST" || decision === "NOT_IN_ALLOW_LIST";
}

/** Signs from the visitor: ratings and the next message. Asking for a person after a refusal is no sign. */
function signsOfVisitor(turn: AnsweredTurn): WrongSign[] {
  const { rating, why, input, next, at, decision } = turn;
  const isNext = next !== null && next.at - at <= MAX_PAUSE_MS;
  const asksForPerson = turn.askedForPerson || (isNext && next.intent === socialIntentOf("person"));
  return [
    ...(rating === "down" ? [{ kind: "rated_down", reason: why } as const] : []),
    ...(isNext && complains(next, turn.response) ? [{ kind: "complained", said: next.input } as const] : []),
    ...(isNext && saysAgain(input, next.input) ? [{ kind: "reworded", said: next.input } as const] : []),
    ...(asksForPerson && !isRefusal(decision) ? [{ kind: "left_for_person" } as const] : []),
  ];
}

/** A "no" is no complaint if the answer asked a question. */
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
  if (words.length === 0 || words.length < asked.length || isInOtherLanguage(input, response)) return [];
  return [{ kind: "lacks_words", words: words.map((word) => asWritten(word, input)) }];
}

/** Whether two texts are in different languages, so that they have no words in common. */
function isInOtherLanguage(input: string, response: string): boolean {
  const [asked, answered] = [languageOf([input]), languageOf([response])];
  return asked !== undefined && answered !== undefined && asked !== answered;
}

/** @param word as `contentWordsOf` spells it. */
function asWritten(word: string, input: string): string {
  const written = input.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? [];
  return written.find((one) => normaliseText(one) === word) ?? word;
}

function titlesIn({ knowledge }: Pick<DecisionReceipt, "knowledge">): string[] {
  return knowledge?.sources?.map(({ title }) => title) ?? [];
}

/** Labels and examples of intents. */
function textsOf({ intents = [] }: Answering, names: readonly string[]): string[] {
  return intents
    .filter(({ name }) => names.includes(name))
    .flatMap(({ label, examples = [] }) => [...(label === undefined ? [] : [label]), ...examples]);
}

/** The words of which a text contains neither a form nor the first letters. */
function lackingIn(words: readonly string[], text: string): string[] {
  const terms = termsOf(text);
  return words.filter((word) => termsOf(word).isDisjointFrom(terms));
}

/**
 * Phrases by which visitors say what they meant instead, in the languages of `text/languages`. They are no small-talk kind, because the
 * same message asks something else.
 */
const MEANT_OTHERWISE =
  /(?<!\p{L})(?:i (?:mean|meant)|not what i|ich mein(?:te|e)?|das mein(?:te|e) ich nicht|bedoel(?:de)?|je voulais dire|pas ce que je|quiero decir|quise decir|quería decir|me refiero|me refería|intendevo|volevo dire|eu quis dizer|queria dizer|quero dizer)(?!\p{L})/iu;

/** Whether a message says that something else was meant. */
function saysOtherwise(text: string): boolean {
  return MEANT_OTHERWISE.test(text);
}
