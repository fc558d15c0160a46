import { JOINTS } from "../text/function-words.ts";
import type { Language } from "../text/languages.ts";
import { type MessageWord, wordsOfMessage } from "../text/phrases/message-words.ts";
import { phrasesAt, type PhraseSearch, type Cover, coversFrom } from "../text/phrases/phrase-reader.ts";
import {
  courtesiesOf,
  type CourtesySearch,
  languagesFrom,
  readingsOf,
  type SocialContext,
} from "./read-courtesies.ts";
import { socialPhrasesIn, type SocialSection } from "./social-phrases.ts";
import { type SocialTurn, socialTurnOf } from "./social-turn.ts";

/** Words of a message that are read from either end. Chosen by hand. */
const MAX_WORDS_OF_COURTESY = 14;
/** Least number of words of a request without punctuation before it: "hello kitty" is no greeting. */
const MIN_WORDS_LEFT = 2;

const AT_THE_HEAD = new Set<SocialSection>([
  "greeting",
  "opening",
  "hail",
  "wellbeing",
  "thanks",
  "praise",
  "yes",
  "acknowledge",
  "addressee",
  "filler",
]);
const CORE_OF_HEAD = new Set<SocialSection>(["greeting", "opening", "hail", "thanks", "praise"]);
/** Sections that need no punctuation before a request. */
const PLAIN_HEAD = new Set<SocialSection>(["greeting", "hail"]);
const AT_THE_TAIL = new Set<SocialSection>([
  "thanks",
  "praise",
  "goodbye",
  "hail",
  "acknowledge",
  "addressee",
  "filler",
]);

const HEAD: CourtesySearch = { withTypos: false, sections: AT_THE_HEAD };
const TAIL: CourtesySearch = { withTypos: false, sections: AT_THE_TAIL };
const TAIL_BACKWARDS: CourtesySearch = { ...TAIL, backwards: true };

/** A message divided into its courtesies and its request. */
export interface SeparatedMessage {
  /** The kind of a message that is only small talk. */
  turn?: SocialTurn;
  /** The message without courtesies; the whole message if it is only courtesies. */
  request: string;
  /** Whether it also asks for a person; only if the bot offers one. */
  asksForPerson?: true;
}

/**
 * Decides whether a message is only small talk; otherwise extracts its request, without the greeting before it and the thanks after it.
 * Words of the request may be lost ("say thank you"), so the request is judged in addition to the whole message, not instead of it. The
 * words are read once for both.
 */
export function separateCourtesies(text: string, context: SocialContext = {}): SeparatedMessage {
  const words = wordsOfMessage(text);
  const turn = socialTurnOf(text, words, context);
  if (turn !== undefined) return { turn, request: text };
  const asksForPerson = context.offersPerson === true && holdsWishForPerson(text, words, context);
  return { request: requestOf(text, words, context), ...(asksForPerson && { asksForPerson }) };
}

/** A longer message is a story, in which asking for a person is not searched for. Chosen by hand. */
const MAX_WORDS_WITH_WISH = 100;
const WISH: PhraseSearch<SocialSection> = { withTypos: false, sections: new Set<SocialSection>(["person"]) };
const NEGATIONS = new Set([
  "not",
  "dont",
  "never",
  "nicht",
  "nie",
  "no",
  "nunca",
  "pas",
  "non",
  "niet",
  "nao",
]);

/** Whether a clause begins by asking for a person ("can I talk to somebody about…"), or the message ends with it. */
function holdsWishForPerson(text: string, words: readonly MessageWord[], context: SocialContext): boolean {
  if (words.length > MAX_WORDS_WITH_WISH) return false;
  return likelyLanguages(context).some((language) => {
    for (let at = 0; at < words.length; at++) {
      const wishes = phrasesAt(at, words, socialPhrasesIn(language), WISH);
      if (wishes.length > 0 && beginsClause(at, words, text)) return true;
      if (wishes.some(({ end }) => end === words.length)) return !NEGATIONS.has(words[at - 1]!.text);
    }
    return false;
  });
}

const beginsClause = (at: number, words: readonly MessageWord[], text: string): boolean =>
  at === 0 || gapBefore(at, words, text) !== "none" || JOINTS.has(words[at - 1]!.text);

function requestOf(text: string, words: readonly MessageWord[], context: SocialContext): string {
  const from = endOfHead(text, words, context);
  const to = startOfTail(text, words, from, context);
  if (from === 0 && to === words.length) return text;
  const rest = text.slice(from === 0 ? 0 : words[from]!.start, words[to]?.start);
  return to === words.length ? rest : withoutLead(rest);
}

/** Removes punctuation that led over to a courtesy; the end of a sentence stays. The lookbehind keeps it linear: each run is tried once. */
const withoutLead = (rest: string): string => rest.replace(/(?<![\s,;:(–—-])[\s,;:(–—-]+$/u, "");

/** The bot's language and English; all languages if the bot's is unknown. */
const likelyLanguages = ({ language }: SocialContext): readonly Language[] =>
  language === undefined ? languagesFrom() : languagesFrom(language).slice(0, 2);

/** The boundary between a courtesy and a request. */
interface Seam {
  gap: "none" | "clause" | "sentence";
  /** Number of words of the request. */
  wordsLeft: number;
  /** The bot's language. */
  own: Language;
}

/** Position of the first word after the courtesies at the beginning. */
function endOfHead(text: string, words: readonly MessageWord[], context: SocialContext): number {
  const head = words.length > MAX_WORDS_OF_COURTESY ? words.slice(0, MAX_WORDS_OF_COURTESY) : words;
  const [own = "en"] = languagesFrom(context.language);
  for (const { covers } of readingsOf(head, context, HEAD, likelyLanguages(context))) {
    const ends = [...covers].filter(([end, cover]) => {
      if (end === 0 || end >= words.length) return false;
      return isHead(cover, { gap: gapBefore(end, words, text), wordsLeft: words.length - end, own });
    });
    if (ends.length > 0) return Math.max(...ends.map(([end]) => end));
  }
  return 0;
}

function isHead(cover: Cover<SocialSection>, { gap, wordsLeft, own }: Seam): boolean {
  if (gap !== "none") return cover.some(({ section }) => CORE_OF_HEAD.has(section));
  const [first, last] = [cover[0]!, cover.at(-1)!];
  const isPlain = PLAIN_HEAD.has(first.section) && PLAIN_HEAD.has(last.section) && last.language === own;
  return isPlain && wordsLeft >= MIN_WORDS_LEFT;
}

/** Position of the first word of the courtesies at the end; after the last word if there are none. */
function startOfTail(
  text: string,
  words: readonly MessageWord[],
  from: number,
  context: SocialContext,
): number {
  const first = Math.max(from + 1, words.length - MAX_WORDS_OF_COURTESY);
  const tail = words.slice(first);
  const [own = "en"] = languagesFrom(context.language);
  const backwards = readingsOf(tail.toReversed(), context, TAIL_BACKWARDS, likelyLanguages(context));
  for (const { language, covers } of backwards) {
    const courtesiesFrom = courtesiesOf(tail, context, TAIL)(language);
    const lengths = [...covers.keys()].filter((length) => length > 0);
    for (const length of lengths.toSorted((one, other) => other - one)) {
      const start = tail.length - length;
      const cover = coversFrom(start, tail.length, courtesiesFrom).get(tail.length)!;
      const at = first + start;
      if (isTail(cover, { gap: gapBefore(at, words, text), wordsLeft: at - from, own })) return at;
    }
  }
  return words.length;
}

/** A goodbye needs a sentence of its own: in "can I pay later", "later" is none. */
function isTail(cover: Cover<SocialSection>, { gap, wordsLeft, own }: Seam): boolean {
  const has = (wanted: SocialSection) => cover.some(({ section }) => section === wanted);
  if (gap !== "none") return has("thanks") || (gap === "sentence" && has("goodbye"));
  const [{ section, language } = cover.at(-1)!] = cover;
  return section === "thanks" && language === own && wordsLeft >= MIN_WORDS_LEFT;
}

/** The separator between a word and the one before it; an emoji counts as the end of a sentence. */
function gapBefore(position: number, words: readonly MessageWord[], text: string): Seam["gap"] {
  const [before, after] = [words[position - 1]!, words[position]!];
  const between = text.slice(before.end, after.start);
  if (before.kind === "emoji" || after.kind === "emoji" || /[.!?…\n]/.test(between)) return "sentence";
  return /[,;:()–—¡¿]|\s-/u.test(between) ? "clause" : "none";
}
