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
  const body = candidate.passage.body.trim();
  const { sentences } = candidate;
  if (sentences.length === 0) return "";
  if (isShort(body)) return cut(body);
  if (candidate.titleCoverage > candidate.bestSentenceScore) {
    return textOf(candidate, 0, Math.min(sentences.length, FIRST_SENTENCES) - 1);
  }
  const best = findBestSentence(
    question,
    sentences.map((span) => sentenceAt(candidate, span)),
  );
  const list = listAround(candidate, best);
  if (list) return textOf(candidate, list.first, list.last);
  return textOf(candidate, Math.max(0, best - 1), Math.min(sentences.length - 1, best + 1));
}

function isShort(body: string): boolean {
  if (body.length > MOST_SHOWN) return false;
  let words = 0;
  for (const _ of body.matchAll(UNPARTED)) if (++words > SHORT_PASSAGE_WORDS) return false;
  return true;
}

function sentenceAt({ passage }: Candidate, { start, end }: Span): string {
  return passage.body.slice(start, end);
}

/** Sentences of a list, with the one that introduces it; undefined where the best is in none. */
function listAround(candidate: Candidate, best: number): { first: number; last: number } | undefined {
  const isItem = (i: number) => {
    const span = candidate.sentences[i];
    return span !== undefined && ITEM.test(sentenceAt(candidate, span));
  };
  const inside = isItem(best) ? best : best + 1;
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
  return { first: Math.max(0, first - 1), last };
}

function textOf({ passage, sentences }: Candidate, first: number, last: number): string {
  return cut(passage.body.slice(sentences[first]!.start, sentences[last]!.end));
}

/** At the end of a word, with an ellipsis, where there is too much. */
function cut(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const head = text.slice(0, MOST_SHOWN);
  const end = head.search(/\s\S*$/);
  const kept = (end > MOST_SHOWN / 2 ? head.slice(0, end) : head).trimEnd();
  return `${kept.replace(/[\ud800-\udbff]$/, "")}…`;
}
