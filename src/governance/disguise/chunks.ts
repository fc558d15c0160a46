import type { KnowsWord } from "./plain-word.ts";

const SPACES = /(\s+)/u;
/** Most pieces of a broken word. A word in more pieces is spelled out letter by letter; `joinSpelled` handles that. */
const MAX_REJOINED = 5;
/** Longest rejoined word; longer ones are rare in any language. Chosen by hand. */
const MAX_REJOINED_LENGTH = 24;

/** The characters between two white spaces, with the white space after them. */
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

/** Joins three or more single letters in a row into a word, for each run with equal spacing. */
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

/** Number of chunks from `from` on that form one known word; 1 if none do. */
function brokenWordLength(chunks: readonly Chunk[], from: number, knows: KnowsWord): number {
  let word = chunks[from]!.text;
  let isBroken = !knows(word);
  let length = 1;
  for (let to = from + 1; to < Math.min(chunks.length, from + MAX_REJOINED); to++) {
    const next = chunks[to]!.text;
    if (word.length > MAX_REJOINED_LENGTH || !/^\p{L}+$/u.test(word) || !/^\p{L}/u.test(next)) break;
    isBroken ||= !knows(next);
    word += next;
    if (isBroken && word.length > 2 && knows(word)) length = to - from + 1;
  }
  return length;
}

/** Joins words broken by white space (`de lete`), if the whole is a known word and one of the pieces is not. */
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
