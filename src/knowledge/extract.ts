import { findBestSentence } from "./best-sentence.ts";
import type { Candidate } from "./candidate.ts";
import type { Question } from "./question.ts";
import type { Span } from "./sentences.ts";

/** A passage of no more words is shown whole: to read it takes no longer than to find the sentence. */
const SHORT_PASSAGE_WORDS = 60;
/** Sentences that are shown of an answer whose question is its title. */
const FIRST_SENTENCES = 3;
const MOST_ITEMS = 8;
/** Characters that are shown at most. */
const MOST_SHOWN = 1200;
/** Characters that stand for a word where words are not parted: two ideographs, five letters of Thai. */
const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,5}|\S+?(?=\s|$|\p{Script=Han}|\p{Script=Thai})/gu;
const ITEM = /^\s*(?:[-*•–]|\d{1,3}[.)])\s/;

/** What a visitor is shown of a passage: its best sentence with its neighbours, a list from its start, or all of it where it is short. */
export function extractAnswer(question: Question, candidate: Candidate): string {
  const { sentences, passage } = candidate;
  const last = sentences.length - 1;
  if (last < 0) return "";
  const between = (from: number, to: number) =>
    cut(passage.body.slice(sentences[Math.max(0, from)]!.start, sentences[Math.min(last, to)]!.end));
  if (isShort(passage.body)) return between(0, last);
  if (candidate.titleCoverage > candidate.bestSentenceScore) return between(0, FIRST_SENTENCES - 1);
  const best = findBestSentence(
    question,
    sentences.map(({ start, end }) => passage.body.slice(start, end)),
  );
  const list = listAround(passage.body, sentences[best]!.start);
  return list ? cut(passage.body.slice(list.start, list.end)) : between(best - 1, best + 1);
}

function isShort(body: string): boolean {
  if (body.length > MOST_SHOWN) return false;
  let words = 0;
  for (const _ of body.matchAll(UNPARTED)) if (++words > SHORT_PASSAGE_WORDS) return false;
  return true;
}

/** A list with the line that introduces it; undefined where a place in the text is in none, and introduces none. */
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
  if (last - first >= MOST_ITEMS) {
    // The best item is shown, whatever stands in front of it.
    first = Math.max(first, inside - MOST_ITEMS + 1);
    last = first + MOST_ITEMS - 1;
  }
  return { start: lines[Math.max(0, first - 1)]!.start, end: lines[last]!.end };
}

/** Lines with something on them. */
function linesOf(text: string): Span[] {
  return Array.from(text.matchAll(/[^\n]*\S[^\n]*/g), ({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
  }));
}

/** At the end of a word, with an ellipsis, where there is too much. */
function cut(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const head = text.slice(0, MOST_SHOWN);
  const end = head.search(/\s\S*$/);
  const kept = (end > MOST_SHOWN / 2 ? head.slice(0, end) : head).trimEnd();
  return `${kept.replace(/[\ud800-\udbff]$/, "")}…`;
}
