import { asSeen } from "./characters.ts";
import { decoded, reversed, rotated } from "./encodings.ts";
import { mainScriptOf, withoutLookAlikes } from "./look-alikes.ts";
import { type KnowsWord, plainWord } from "./words.ts";

const SPACES = /(\s+)/u;
/** Signs at the ends of a word that belong to the sentence. */
const AROUND_WORD = /^([^\p{L}\p{N}@$!|]*)(.*?)([^\p{L}\p{M}\p{N}@$|]*)$/su;
const MOST_REJOINED = 5;

/** A message's words, and the white space after each. */
interface Chunk {
  word: string;
  space: string;
}

function chunksOf(text: string): Chunk[] {
  const parts = text.trim().split(SPACES);
  const chunks: Chunk[] = [];
  for (let i = 0; i < parts.length; i += 2) chunks.push({ word: parts[i]!, space: parts[i + 1] ?? "" });
  return chunks;
}

const textOf = (chunks: readonly Chunk[]): string => chunks.map(({ word, space }) => word + space).join("");

const isLetter = (word: string): boolean => /^[\p{L}\p{N}@$!|]\p{M}*[^\p{L}\p{N}\s]?$/u.test(word);

/** Letters that stand alone, three or more in a row, as one word for each stretch of equal spacing. */
function joinSpelled(chunks: readonly Chunk[]): Chunk[] {
  const joined: Chunk[] = [];
  for (let from = 0; from < chunks.length;) {
    let to = from;
    while (to < chunks.length && isLetter(chunks[to]!.word)) to++;
    if (to - from < 3) {
      joined.push(chunks[from++]!);
      continue;
    }
    joined.push(...spelledWords(chunks.slice(from, to)));
    from = to;
  }
  return joined;
}

function spelledWords(letters: readonly Chunk[]): Chunk[] {
  const narrowest = Math.min(...letters.slice(0, -1).map(({ space }) => space.length));
  const words: Chunk[] = [];
  let word = "";
  for (const [index, letter] of letters.entries()) {
    word += letter.word;
    const isLast = index === letters.length - 1;
    if (!isLast && letter.space.length <= narrowest) continue;
    words.push({ word, space: isLast ? letter.space : " " });
    word = "";
  }
  return words;
}

/** How many chunks from here on make one known word that was broken up; 1 if none do. */
function brokenWordLength(chunks: readonly Chunk[], from: number, knows: KnowsWord): number {
  let word = chunks[from]!.word;
  let isBroken = !knows(word);
  let length = 1;
  for (let to = from + 1; to < Math.min(chunks.length, from + MOST_REJOINED); to++) {
    const next = chunks[to]!.word;
    if (!/^\p{L}+$/u.test(word) || !/^\p{L}/u.test(next)) break;
    isBroken ||= !knows(next);
    word += next;
    if (isBroken && word.length > 2 && knows(word)) length = to - from + 1;
  }
  return length;
}

function rejoinBroken(chunks: readonly Chunk[], knows: KnowsWord): Chunk[] {
  const rejoined: Chunk[] = [];
  for (let from = 0; from < chunks.length;) {
    const to = from + brokenWordLength(chunks, from, knows);
    const word = chunks
      .slice(from, to)
      .map((chunk) => chunk.word)
      .join("");
    rejoined.push({ word, space: chunks[to - 1]!.space });
    from = to;
  }
  return rejoined;
}

function plainChunk({ word, space }: Chunk, knows: KnowsWord): Chunk {
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

function knownShare(text: string, knows: KnowsWord): number {
  const words = text.match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? [];
  return words.length === 0 ? 1 : words.filter((word) => knows(word)).length / words.length;
}

/** ROT13 or mirror writing, where nearly no word is known as it stands and most are the other way round. */
function turned(text: string, knows: KnowsWord): string {
  if (knownShare(text, knows) > 0.34) return text;
  for (const other of [rotated(text), reversed(text)]) {
    if (knownShare(other, knows) >= 0.6) return other;
  }
  return text;
}

function undisguised(text: string, knows: KnowsWord): string {
  const seen = asSeen(text);
  const around = scriptAround(seen);
  const letters = seen.replaceAll(/[^\s\p{P}]+/gu, (word) => withoutLookAlikes(word, around));
  const joined = joinSpelled(chunksOf(turned(letters, knows)));
  const plain = rejoinBroken(joined, knows).map((chunk) => plainChunk(chunk, knows));
  return textOf(rejoinBroken(plain, knows));
}

const compared = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll(/\s+/gu, " ").trim();

/**
 * What a message says once disguises are taken off: at most two readings, none that differs from the message in case, spacing
 * or compatibility forms only. Honest text mostly has none. `knows` tells which words a classifier knows, and so
 * settles what `d3l3t3`, `de lete` or `deletemyaccount` stand for.
 */
export function undisguisedReadings(text: string, knows: KnowsWord): string[] {
  const readings = new Map([[compared(text), text]]);
  for (const base of [text, decoded(text)]) {
    const reading = undisguised(base, knows);
    const key = compared(reading);
    if (!readings.has(key)) readings.set(key, reading);
  }
  return [...readings.values()].slice(1);
}
