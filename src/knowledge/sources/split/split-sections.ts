import type { Block, Section, SourcePassage } from "../document.ts";

/**
 * Words up to which short paragraphs are joined. An author's own paragraphs are found best; only very short ones harm, and long ones hide
 * the sentence that answers (XQuAD, recall@1: 79.7 at 40 words, 91.0 at 150, 92.9 for paragraphs as written).
 */
const JOIN_UP_TO = 80;
const NEVER_PAST = 250;
const CUT_AT = 150;

/** A longer run of characters without a space is an encoded file rather than a word. Chosen by hand. */
const MAX_WORD_LENGTH = 300;

/**
 * The passages of a document: blocks under one heading are joined until they have 80 words, but never beyond 250. A longer block is cut
 * every 150 words at its sentences, items or rows, and a piece repeats the last sentence of the one before. A section without text is left
 * out: its heading is in the path of the sections below it.
 */
export function splitSections(sections: readonly Section[]): SourcePassage[] {
  return sections.flatMap(({ heading, anchor, blocks }) =>
    bodiesOf(blocks).map((body) => ({ headingPath: heading, body, ...(anchor !== undefined && { anchor }) })),
  );
}

interface Open {
  blocks: string[];
  words: number;
}

function bodiesOf(blocks: readonly Block[]): string[] {
  const bodies: string[] = [];
  let open: Open = { blocks: [], words: 0 };
  const close = () => {
    if (open.words > 0) bodies.push(open.blocks.join("\n\n"));
    open = { blocks: [], words: 0 };
  };
  for (const block of blocks) {
    const lines = block.lines.map(withoutLongWords);
    const words = lines.reduce((sum, line) => sum + countWords(line), 0);
    const belongs = block.kind !== "text" && open.blocks.length > 0;
    if (open.words + words > NEVER_PAST || (open.words >= JOIN_UP_TO && !belongs)) close();
    if (words > NEVER_PAST) bodies.push(...cut({ ...block, lines }));
    else open = { blocks: [...open.blocks, lines.join("\n")], words: open.words + words };
  }
  close();
  return bodies;
}

const LONG_WORD = new RegExp(
  `[^\\s\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]{${MAX_WORD_LENGTH},}`,
  "gu",
);

function withoutLongWords(line: string): string {
  return line.length < MAX_WORD_LENGTH ? line : line.replaceAll(LONG_WORD, "…");
}

/** Keeps list items and rows whole if possible, and sentences always; the last sentence of a piece begins the next. */
function cut({ kind, lines }: Block): string[] {
  const isText = kind === "text";
  const pieces = isText ? lines.flatMap(sentencesOf) : lines;
  return packed(
    pieces.flatMap((piece) => (countWords(piece) > NEVER_PAST ? cutHard(piece, isText) : piece)),
    isText ? " " : "\n",
    isText,
  );
}

/** Pieces of about 150 words. */
function packed(pieces: readonly string[], separator: string, overlaps: boolean): string[] {
  const bodies: string[] = [];
  let current: string[] = [];
  let words = 0;
  for (const piece of pieces) {
    const more = countWords(piece);
    if (words > 0 && words + more > CUT_AT) {
      bodies.push(current.join(separator));
      const last = current.at(-1);
      const repeated = overlaps && last !== undefined && countWords(last) + more <= CUT_AT ? [last] : [];
      current = repeated;
      words = repeated.reduce((sum, each) => sum + countWords(each), 0);
    }
    current.push(piece);
    words += more;
  }
  return words > 0 ? [...bodies, current.join(separator)] : bodies;
}

/** Cuts a piece without sentences: a list item at its sentences, if it has any, else anything every 150 words. */
function cutHard(piece: string, isSentence: boolean): string[] {
  if (!isSentence) {
    return packed(
      sentencesOf(piece).flatMap((sentence) =>
        countWords(sentence) > NEVER_PAST ? cutHard(sentence, true) : sentence,
      ),
      " ",
      true,
    );
  }
  const parts = piece.includes(" ") ? piece.split(/(?<= )/) : Array.from(piece);
  return packed(parts, "", false).flatMap((part) =>
    countWords(part) > NEVER_PAST ? packed(Array.from(part), "", false) : part.trim(),
  );
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/** Characters counted as a word in scripts without spaces: Chinese has 1.5 to 2, Thai about 4. */
const CHARACTERS_PER_WORD = 2;

/** Letters and digits of ASCII. */
const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))));

/** Approximate number of words: runs of letters and digits; two characters of a script without spaces. */
export function countWords(text: string): number {
  let count = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // General punctuation, such as dashes and curly quotes, is in texts of any script.
    const now = code < 128 ? IN_WORD[code]! : code >= 0x2000 && code < 0x2070 ? 0 : -1;
    if (now < 0) return countAnyWords(text);
    count += now & ~before;
    before = now;
  }
  return count;
}

function countAnyWords(text: string): number {
  const unspaced = countMatches(UNSPACED, text);
  const spaced = countMatches(WORD, unspaced === 0 ? text : text.replaceAll(UNSPACED, " "));
  return spaced + Math.ceil(unspaced / CHARACTERS_PER_WORD);
}

function countMatches(pattern: RegExp, text: string): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) count++;
  return count;
}

/** A shorter piece is the rest of a sentence rather than a sentence. */
const MIN_CHARACTERS = 12;
/** Minimum characters at which Thai text may be cut at a space. Chosen by hand. */
const THAI_CHARACTERS = 80;

/** Abbreviations that end no sentence: "No. 5", "Dr. Okafor", "z. B. so", a single capital. */
const ENDS_ABBREVIATED =
  /(?:^|[\s(])(?:\p{Lu}|No|St|Dr|Mr|Mrs|Ms|Prof|vs|e\.g|i\.e|z|B|ca|Nr|Art|Abs|bzw|usw|etc|approx|fig|vol)\.\s*$/u;
const THAI = /\p{sc=Thai}/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** The sentences of a paragraph, in order; joined they are the paragraph, except for white space. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let current = "";
  for (const { segment } of segmenter.segment(text)) {
    current += segment;
    if (current.length < MIN_CHARACTERS || goesOn(current)) continue;
    sentences.push(...cutThai(current.trim()));
    current = "";
  }
  const rest = current.trim();
  if (rest === "") return sentences;
  const last = sentences.pop();
  return [
    ...sentences,
    ...(last === undefined || rest.length >= MIN_CHARACTERS
      ? [last ?? [], rest].flat()
      : [`${last} ${rest}`]),
  ];
}

/** Maximum length of a sentence: letters with full stops would otherwise make one sentence of a whole text. Chosen by hand. */
const MAX_CHARACTERS = 1000;

function goesOn(sentence: string): boolean {
  return sentence.length < MAX_CHARACTERS && ENDS_ABBREVIATED.test(sentence.slice(-20));
}

function cutThai(sentence: string): string[] {
  if (sentence.length <= THAI_CHARACTERS || !THAI.test(sentence)) return [sentence];
  const pieces: string[] = [""];
  for (const part of sentence.split(" ")) {
    const current = pieces.at(-1) ?? "";
    if (current.length >= THAI_CHARACTERS) pieces.push(part);
    else pieces[pieces.length - 1] = current === "" ? part : `${current} ${part}`;
  }
  return pieces;
}
