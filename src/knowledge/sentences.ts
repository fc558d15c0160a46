/** A range of a text. */
export interface Span {
  start: number;
  end: number;
}

/** A shorter piece is no sentence: "1.", "Yes.", "p. 5". Chosen by hand. */
const MIN_SENTENCE_LENGTH = 12;
/** Letters per ideograph: passages in Chinese have a third of the characters of their translations. */
const LETTERS_OF_IDEOGRAPH = 3;
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/**
 * Thai sentences end at a space, but not every space ends one: the next space after so many characters does. A passage then has as many
 * sentences as its translations.
 */
const MIN_THAI = 150;
/** Maximum length of a sentence in characters, which bounds the shown text. Chosen by hand. */
const MAX_SENTENCE_LENGTH = 1200;

/** Full stops that end no sentence: after a single capital, and after common abbreviations. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|No|St|Dr|Mr|Mrs|Ms|Prof|Jr|vs|e\.\s?g|i\.\s?e|approx|z\.\s?B|d\.\s?h|bzw|ca|Nr|Str|Tel|Abs|Art|Hr|Fr|Sr|Sra|Núm|n|M|Mme)\.\s*$/u;
const THAI = /\p{Script=Thai}/u;
const LINE_BREAKS = /\n+/g;

const segmenters = new Map<string, Intl.Segmenter>();

/** For the language; without a valid tag, English. */
function segmenterFor(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known) return known;
  const [supported = "en"] = Intl.Segmenter.supportedLocalesOf(isTag(language) ? language : "en");
  const segmenter = new Intl.Segmenter(supported, { granularity: "sentence" });
  segmenters.set(language, segmenter);
  return segmenter;
}

function isTag(language: string): boolean {
  return /^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/i.test(language);
}

/**
 * The sentences of a text, in order, without surrounding spaces. A line, or a list item, never shares a sentence with another.
 * @param language a BCP 47 tag; English if it is invalid.
 * @param leastThai least number of characters of a Thai sentence.
 */
export function sentencesOf(text: string, language: string, leastThai = MIN_THAI): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { index } of [...text.matchAll(LINE_BREAKS), { index: text.length }]) {
    if (index > start) addSentences(text, start, index, { language, leastThai }, spans);
    start = index;
  }
  return spans;
}

interface Manner {
  language: string;
  leastThai: number;
}

function addSentences(
  text: string,
  from: number,
  to: number,
  { language, leastThai }: Manner,
  spans: Span[],
): void {
  const line = text.slice(from, to);
  const ends = THAI.test(line) ? thaiEnds(line, leastThai) : sentenceEnds(line, language);
  let start = 0;
  for (const end of ends) {
    for (let at = start; at < end; at += MAX_SENTENCE_LENGTH)
      addTrimmed(text, from + at, from + Math.min(end, at + MAX_SENTENCE_LENGTH), spans);
    start = end;
  }
}

function addTrimmed(text: string, start: number, end: number, spans: Span[]): void {
  while (start < end && /\s/.test(text[start]!)) start++;
  while (start < end && /\s/.test(text[end - 1]!)) end--;
  if (start < end) spans.push({ start, end });
}

function sentenceEnds(line: string, language: string): number[] {
  const ends: number[] = [];
  let start = 0;
  for (const { index, segment } of segmenterFor(language).segment(line)) {
    const end = index + segment.length;
    const said = line.slice(start, end);
    if (end < line.length && (isTooShort(said) || ABBREVIATION.test(said.slice(-12)))) continue;
    ends.push(end);
    start = end;
  }
  return joinLast(line, ends);
}

function isTooShort(piece: string): boolean {
  const { length } = piece.trim();
  if (length >= MIN_SENTENCE_LENGTH) return false;
  const ideographs = piece.match(IDEOGRAPHS)?.length ?? 0;
  return length + (LETTERS_OF_IDEOGRAPH - 1) * ideographs < MIN_SENTENCE_LENGTH;
}

/** A last piece that is too short is joined to the sentence before it. */
function joinLast(line: string, ends: number[]): number[] {
  const before = ends.at(-2);
  if (before !== undefined && isTooShort(line.slice(before))) ends.splice(-2, 1);
  return ends;
}

function thaiEnds(line: string, least: number): number[] {
  const ends: number[] = [];
  let start = 0;
  for (const { index } of line.matchAll(/\s+/g)) {
    if (index - start < least) continue;
    ends.push(index);
    start = index;
  }
  return [...ends, line.length];
}
