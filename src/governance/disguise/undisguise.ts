import { asSeen } from "./characters.ts";
import { type Chunk, chunksOf, joinSpelled, rejoinBroken, textOf } from "./chunks.ts";
import { decoded, reversed, rotated } from "./encodings.ts";
import { mainScriptOf, withoutLookAlikes } from "./look-alikes.ts";
import { type KnowsWord, plainWord } from "./words.ts";

/** Signs at the ends of a word that belong to the sentence. */
const AROUND_WORD = /^([^\p{L}\p{N}@$!|]*)(.*?)([^\p{L}\p{M}\p{N}@$|]*)$/su;
const LONGEST_DISGUISED = 120;
const MOST_WORDS_ASKED = 6000;

function plainChunk({ word, space }: Chunk, knows: KnowsWord): Chunk {
  if (word.length > LONGEST_DISGUISED) return { word, space };
  const [, before = "", core = "", after = ""] = AROUND_WORD.exec(word) ?? [];
  return { word: before + plainWord(core, knows) + after, space };
}

/** The script to read look-alike letters in: Latin if every letter of the message can be read so. */
function scriptAround(text: string): ReturnType<typeof mainScriptOf> {
  const script = mainScriptOf(text);
  if (script === "latin" || script === "other") return script;
  const letters = text.match(/\p{L}+/gu) ?? [];
  const allLatin = letters.every((word) => !/[^\p{Script=Latin}]/u.test(withoutLookAlikes(word, "latin")));
  return allLatin ? "latin" : script;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? [];

function knownShare(text: string, knows: KnowsWord): number {
  const words = wordsOf(text);
  return words.length === 0 ? 1 : words.filter((word) => knows(word)).length / words.length;
}

/** ROT13 or mirror writing, where nearly no word is known as it stands and most are the other way round. */
function turnedWhole(text: string, knows: KnowsWord): string | undefined {
  if (knownShare(text, knows) > 0.34) return undefined;
  return [rotated(text), reversed(text)].find((other) => knownShare(other, knows) >= 0.6);
}

/** The same for each part between punctuation, where it has more than one word. */
function turned(text: string, knows: KnowsWord): string {
  const turnedPart = (part: string) =>
    (wordsOf(part).length > 1 ? turnedWhole(part, knows) : undefined) ?? part;
  return turnedWhole(text, knows) ?? text.replaceAll(/[^\s.!?,;:][^.!?,;:\n]*/g, turnedPart);
}

// oxlint-disable-next-line no-control-regex -- the range is ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** The message in plain letters: look-alikes and other forms of letters undone. */
function inPlainLetters(text: string): string {
  if (ASCII.test(text)) return text;
  const seen = asSeen(text);
  const around = scriptAround(seen);
  return seen.replaceAll(/[^\s\p{P}]+/gu, (word) =>
    ASCII.test(word) ? word : withoutLookAlikes(word, around),
  );
}

function undisguised(text: string, knows: KnowsWord): string {
  const joined = joinSpelled(chunksOf(turned(inPlainLetters(text), knows)));
  const plain = rejoinBroken(joined, knows).map((chunk) => plainChunk(chunk, knows));
  return textOf(rejoinBroken(plain, knows));
}

const compared = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll(/\s+/gu, " ").trim();

/** Asks about each word once, and about so many at most: what a message can cost is bounded. */
function askedOnce(knows: KnowsWord): KnowsWord {
  const answers = new Map<string, boolean>();
  return (word) => {
    const known = answers.get(word) ?? (answers.size < MOST_WORDS_ASKED && knows(word));
    if (answers.size < MOST_WORDS_ASKED) answers.set(word, known);
    return known;
  };
}

/**
 * What a message says once disguises are taken off: at most two readings, none that differs from the message in case, spacing
 * or compatibility forms only. Honest text mostly has none. `knows` tells which words a classifier knows, and so
 * settles what `d3l3t3`, `de lete` or `deletemyaccount` stand for.
 */
export function undisguisedReadings(text: string, knows: KnowsWord): string[] {
  const knowsWord = askedOnce(knows);
  const plain = decoded(text);
  const readings = new Map([[compared(text), text]]);
  for (const base of plain === text ? [text] : [text, plain]) {
    const reading = undisguised(base, knowsWord);
    const key = compared(reading);
    if (!readings.has(key)) readings.set(key, reading);
  }
  return [...readings.values()].slice(1);
}
