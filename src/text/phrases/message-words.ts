import { normaliseText } from "../normalise.ts";
import { knownWord, type KnownWord, remembered } from "./known-word.ts";

/** A word or emoji of a message. */
interface Said {
  /** A word in the spelling of `normaliseText`; an emoji without skin tone. */
  readonly text: string;
  /** Its position in the original message, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

interface Emoji extends Said {
  readonly kind: "emoji";
}

interface Word extends Said {
  readonly kind: "word";
  /** The word with cached facts. */
  readonly known: KnownWord;
}

/** A word or an emoji of a message. */
export type MessageWord = Word | Emoji;

const EMOTICON = String.raw`(?<![\p{L}\p{N}])(?:[:;=]['’]?[-o^]?[()\[\]DdPpOo3|/\\*xX$S]+|[xX]D+|<3+|\^_*\^|-_+-|[oO]_[oO])(?![\p{L}\p{N}])`;
const EMOJI = String.raw`\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})*(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})*)*`;
const WORD = String.raw`[\p{L}\p{M}\p{N}]+(?:['’‘\u0060´][\p{L}\p{M}]+)*`;
/** Group 1 is an emoji, group 2 a word, neither an emoticon. Named groups would take three times as long. */
const PIECES = new RegExp(`${EMOTICON}|(${EMOJI})|(${WORD})`, "gu");
const VARIATIONS = /[\uFE0F\u20E3]|\p{EMod}/gu;
const HAS_VARIATIONS = new RegExp(VARIATIONS.source, "u");
const withoutVariations = (text: string): string =>
  HAS_VARIATIONS.test(text) ? text.replaceAll(VARIATIONS, "") : text;

/** Stands for all emoticons. */
export const EMOTICON_AS_EMOJI = "🙂";

const normalisedWord = remembered((written) => knownWord(normaliseText(withoutVariations(written))));

/** A word that is normalised on first use, because most words are never looked at. */
class WrittenWord implements Word {
  readonly kind = "word";
  readonly start: number;
  readonly end: number;
  readonly #written: string;
  #known: KnownWord | undefined;

  constructor(written: string, start: number) {
    this.#written = written;
    this.start = start;
    this.end = start + written.length;
  }

  get known(): KnownWord {
    return (this.#known ??= normalisedWord(this.#written));
  }

  get text(): string {
    return this.known.text;
  }
}

/** The words and emoji of a message in order; emoticons are read as emoji. */
export function wordsOfMessage(text: string): readonly MessageWord[] {
  const words: MessageWord[] = [];
  for (const { 0: written, 1: emoji, 2: word, index } of text.matchAll(PIECES)) {
    if (word === undefined) words.push(emojiOf(emoji, index, index + written.length));
    else words.push(new WrittenWord(word, index));
  }
  return words;
}

function emojiOf(written: string | undefined, start: number, end: number): Emoji {
  const text = written === undefined ? EMOTICON_AS_EMOJI : withoutVariations(written);
  return { kind: "emoji", text, start, end };
}
