import { rareness, scoreGrams } from "./bm25.ts";
import type { Candidate } from "./candidate.ts";
import { QuestionReader } from "./question-reader.ts";
import type { Question } from "./question.ts";
import type { Span } from "./sentences.ts";

/** A passage of at most so many words is shown whole: reading it takes no longer than finding the sentence. Chosen by hand. */
const SHORT_PASSAGE_WORDS = 70;
/** Sentences that are shown if the question is the passage's title. Chosen by hand. */
const FIRST_SENTENCES = 3;
const MAX_ITEMS = 8;
/** Maximum number of shown characters. */
const MAX_SHOWN = 400;
/** Characters that count as a word in scripts without word boundaries: two ideographs, five letters of Thai. */
const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,5}|\S+?(?=\s|$|\p{Script=Han}|\p{Script=Thai})/gu;
const ITEM = /^\s*(?:[-*•–]|\d{1,3}[.)])\s/;
/** Separates the cells of a table row in stored documents. */
const CELLS = " – ";

/** The shown part of a passage, with facts about it. */
export interface Showing {
  /** Index of the sentence that is nearest in meaning; if absent, words decide. */
  sentence?: number | undefined;
  /** Shows only that sentence, with the head of its table: the whole was shown just before. */
  isNarrow?: boolean;
}

/**
 * The part of a passage that is shown to a visitor, at most 400 characters: all of a short one, else its best sentence with its neighbours,
 * a list from its beginning, or rows of a table with the head.
 */
export function extractAnswer(
  question: Question,
  candidate: Candidate,
  { sentence, isNarrow = false }: Showing = {},
): string {
  const { sentences, passage } = candidate;
  const last = sentences.length - 1;
  if (last < 0) return "";
  const between = (from: number, to: number) =>
    passage.body.slice(sentences[Math.max(0, from)]!.start, sentences[Math.min(last, to)]!.end);
  if (!isNarrow && isShort(passage.body)) return between(0, last);
  if (sentence === undefined && candidate.titleCoverage > candidate.bestSentenceScore)
    return cut(between(0, FIRST_SENTENCES - 1));
  const best =
    sentence ??
    findBestSentence(
      question,
      sentences.map(({ start, end }) => passage.body.slice(start, end)),
    );
  const row = rowsAround(passage.body, sentences[best]!.start, isNarrow);
  if (row !== undefined) return cut(row);
  if (isNarrow) return cut(between(best, best));
  const list = listAround(passage.body, sentences[best]!.start);
  if (list) return cut(passage.body.slice(list.start, list.end));
  const [behind, around] = [between(best, best + 1), between(best - 1, best + 1)];
  return [around, behind].find((text) => text.length <= MAX_SHOWN) ?? cut(between(best, best));
}

/** The table row at a position, below the table's head, with as many following rows as fit; undefined outside a table. */
function rowsAround(body: string, at: number, isNarrow: boolean): string | undefined {
  const lines = linesOf(body);
  const textOf = ({ start, end }: Span) => body.slice(start, end);
  const own = lines.findIndex(({ end }) => at < end);
  const isRow = (i: number) => lines[i] !== undefined && isTableRow(textOf(lines[i]));
  if (!isRow(own)) return undefined;
  let head = own;
  while (isRow(head - 1)) head--;
  const rows = head === own ? [textOf(lines[own]!)] : [textOf(lines[head]!), textOf(lines[own]!)];
  for (let next = own + 1; !isNarrow && isRow(next); next++) {
    const text = textOf(lines[next]!);
    if ([...rows, text].join("\n").length > MAX_SHOWN) break;
    rows.push(text);
  }
  return rows.length > 1 || isRow(own + 1) ? rows.join("\n") : undefined;
}

function isTableRow(line: string): boolean {
  return line.includes(CELLS) && !ITEM.test(line);
}

function isShort(body: string): boolean {
  if (body.length > MAX_SHOWN) return false;
  let words = 0;
  for (const _ of body.matchAll(UNPARTED)) if (++words > SHORT_PASSAGE_WORDS) return false;
  return true;
}

/** A list with its introducing line; undefined if the position is in no list and introduces none. */
function listAround(body: string, at: number): Span | undefined {
  const lines = linesOf(body);
  const isItem = (i: number) => {
    const line = lines[i];
    return line !== undefined && ITEM.test(body.slice(line.start, line.end));
  };
  const own = lines.findIndex(({ end }) => at < end);
  const inside = isItem(own) ? own : own + 1;
  if (!isItem(inside)) return undefined;
  let first = inside;
  while (isItem(first - 1)) first--;
  let last = inside;
  while (isItem(last + 1)) last++;
  if (last - first >= MAX_ITEMS) {
    // The best item is always shown.
    first = Math.max(first, inside - MAX_ITEMS + 1);
    last = first + MAX_ITEMS - 1;
  }
  return { start: lines[Math.max(0, first - 1)]!.start, end: lines[last]!.end };
}

/** Lines that are not blank. */
function linesOf(text: string): Span[] {
  const lines = Array.from(text.matchAll(/[^\n]+/g), ({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
    line,
  }));
  return lines.filter(({ line }) => line.trim() !== "");
}

/** Cuts a long text at the end of a word, with an ellipsis. */
function cut(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  const head = text.slice(0, MAX_SHOWN);
  const end = head.search(/\s\S*$/);
  const kept = (end > MAX_SHOWN / 2 ? head.slice(0, end) : head).trimEnd();
  return `${kept.replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Weight of a word in the preceding sentence, which often names the subject. */
const PREVIOUS = 0.3;
/** Share of a unit's weight that depends on how few of the sentences contain it; the rest is equal for all. */
const LOCAL_SHARE = 0.75;
/** Minimum similarity at which a sentence contains a unit. Chosen by hand. */
const HELD = 0.5;
/** Weight of common grams relative to common words. This and the share above were chosen on the tune half; they add 0.9 points together. */
const GRAM_WEIGHT = 1;
interface ReadSentence {
  likest: Float64Array;
  gramCounts: Float64Array;
  gramLength: number;
}

/**
 * Index of the sentence that best answers a question; the first of equal ones. A word in fewer of the sentences counts more.
 * @param sentences at least one.
 */
export function findBestSentence(question: Question, sentences: readonly string[]): number {
  const read = sentences.map((sentence): ReadSentence => {
    const reader = new QuestionReader(question);
    return { likest: reader.read(sentence), gramCounts: reader.gramCounts, gramLength: reader.gramLength };
  });
  const byUnits = scoreUnits(question, read);
  const byGrams = scoreGrams(question.grams.size, read);
  const scores = byUnits.map((score, i) => score + GRAM_WEIGHT * byGrams[i]!);
  return scores.indexOf(Math.max(...scores));
}

function scoreUnits({ units }: Question, read: readonly ReadSentence[]): number[] {
  const weights = units.map(({ weight }, i) => {
    const holders = read.filter(({ likest }) => likest[i]! > HELD).length;
    return weight * (1 - LOCAL_SHARE + LOCAL_SHARE * rareness(holders, read.length));
  });
  const total = sum(weights);
  return read.map(({ likest }, at) => {
    const previous = read[at - 1]?.likest;
    const held = weights.map(
      (weight, i) => weight * Math.max(likest[i]!, PREVIOUS * (previous ? previous[i]! : 0)),
    );
    return total > 0 ? sum(held) / total : 0;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
