import type { KnowsWord } from "./knows-word.ts";

const SPACES = /(\s+)/u;
/** A word that is broken into more pieces is spelled out, one letter a piece, and `joinSpelled` sees to that. */
const MOST_REJOINED = 5;
/** Hardly a word of any language is longer; German compounds are written by few on purpose. */
const LONGEST_REJOINED = 24;

/** What stands between two white spaces of a message, and the white space after it. */
export interface Chunk {
  text: string;
  space: string;
}

export function chunksOf(text: string): Chunk[] {
  const parts = text.trim().split(SPACES);
  const chunks: Chunk[] = [];
  for (let i = 0; i < parts.length; i += 2) chunks.push({ text: parts[i]!, space: parts[i + 1] ?? "" });
  return chunks;
}

export const textOf = (chunks: readonly Chunk[]): string =>
  chunks.map(({ text, space }) => text + space).join("");

const isLetter = (text: string): boolean => /^[\p{L}\p{N}@$!|]\p{M}*[^\p{L}\p{N}\s]?$/u.test(text);

/** Letters that stand alone, three or more in a row, as one word for each stretch of equal spacing. */
export function joinSpelled(chunks: readonly Chunk[]): Chunk[] {
  const joined: Chunk[] = [];
  for (let from = 0; from < chunks.length;) {
    let to = from;
    while (to < chunks.length && isLetter(chunks[to]!.text)) to++;
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
    word += letter.text;
    const isLast = index === letters.length - 1;
    if (!isLast && letter.space.length <= narrowest) continue;
    words.push({ text: word, space: isLast ? letter.space : " " });
    word = "";
  }
  return words;
}

/** How many chunks from `from` on make one known word that was broken up; 1 if none do. */
function brokenWordLength(chunks: readonly Chunk[], from: number, knows: KnowsWord): number {
  let word = chunks[from]!.text;
  let isBroken = !knows(word);
  let length = 1;
  for (let to = from + 1; to < Math.min(chunks.length, from + MOST_REJOINED); to++) {
    const next = chunks[to]!.text;
    if (word.length > LONGEST_REJOINED || !/^\p{L}+$/u.test(word) || !/^\p{L}/u.test(next)) break;
    isBroken ||= !knows(next);
    word += next;
    if (isBroken && word.length > 2 && knows(word)) length = to - from + 1;
  }
  return length;
}

/** Words that white space broke up (`de lete`), whole again where the whole is known and a piece is not. */
export function rejoinBroken(chunks: readonly Chunk[], knows: KnowsWord): Chunk[] {
  const rejoined: Chunk[] = [];
  for (let from = 0; from < chunks.length;) {
    const to = from + brokenWordLength(chunks, from, knows);
    const whole = chunks.slice(from, to).map(({ text }) => text);
    rejoined.push({ text: whole.join(""), space: chunks[to - 1]!.space });
    from = to;
  }
  return rejoined;
}
