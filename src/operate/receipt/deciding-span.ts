import type { DeniedBy } from "../../domain/decision.ts";
import type { Span } from "../../domain/operator/conversations.ts";
import { normaliseText } from "../../text/normalise.ts";
import { findPersonalData } from "../../text/personal-data.ts";

/** Position of the denied data or term; undefined if it is disguised in the text. */
export function spanOfDenied(text: string, deniedBy: DeniedBy): Span | undefined {
  if ("term" in deniedBy) return spanOfWords(text, normaliseText(deniedBy.term).split(/\s+/));
  const [found] = findPersonalData(text, [deniedBy.pattern]);
  return found && { from: found.start, to: found.end };
}

/**
 * Position of consecutive words in a text, with any characters between them. Words are compared normalised and without their last letters,
 * so that inflected forms match. Undefined if they do not occur.
 */
export function spanOfWords(text: string, words: readonly string[]): Span | undefined {
  const wanted = words.filter((word) => /[\p{L}\p{N}]/u.test(word));
  const written = wordsOf(text);
  if (wanted.length === 0) return undefined;
  for (const isSame of [isSameWord, isSameStem]) {
    const at = written.findIndex((_, start) =>
      wanted.every((word, offset) => isSame(written[start + offset]?.word, word)),
    );
    if (at >= 0) return { from: written[at]!.from, to: written[at + wanted.length - 1]!.to };
  }
  return undefined;
}

interface WrittenWord extends Span {
  word: string;
}

/** Each Han or kana character is a word, as in the classifier's tokens. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}'’])+/gu;

function wordsOf(text: string): WrittenWord[] {
  return Array.from(text.matchAll(WORD), ({ 0: written, index }) => ({
    word: normaliseText(written),
    from: index,
    to: index + written.length,
  }));
}

function isSameWord(written: string | undefined, wanted: string): boolean {
  return written === wanted;
}

/** Letters at the start of a word by which its forms are recognised. */
const STEM = 4;

function isSameStem(written: string | undefined, wanted: string): boolean {
  if (written === undefined) return false;
  const length = Math.max(STEM, Math.min(written.length, wanted.length) - 2);
  return written.length >= STEM && written.slice(0, length) === wanted.slice(0, length);
}
