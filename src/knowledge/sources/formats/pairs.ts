import { isJsonObject } from "../../../domain/json-object.ts";
import { type Block, type Section, UnreadableError } from "../document.ts";
import type { DocumentLimits } from "../limits.ts";
import { readHtml } from "./html.ts";
import { SectionBuilder } from "./section-builder.ts";

interface Pair {
  question: string;
  answer: string;
}

type Limits = Pick<DocumentLimits, "characters" | "depth">;

const QUESTION = /^(?:q|questions?|frage|pregunta|domanda|vraag|pergunta)$/i;
const ANSWER = /^(?:a|answers?|antwort|respuesta|réponse|reponse|risposta|antwoord|resposta)$/i;

/** Reads a CSV file: the columns question and answer, or q and a, or else the first two. */
export function readCsvPairs(text: string, limits: Limits): Section[] {
  const rows = parseCsv(text);
  const names = (rows[0] ?? []).map((name) => name.trim());
  const question = names.findIndex((name) => QUESTION.test(name));
  const answer = names.findIndex((name) => ANSWER.test(name));
  const hasNames = question >= 0 && answer >= 0;
  const [from, to] = hasNames ? [question, answer] : [0, 1];
  const pairs = (hasNames ? rows.slice(1) : rows).map((row) => ({
    question: row[from] ?? "",
    answer: row[to] ?? "",
  }));
  return sectionsOf(pairs, limits);
}

/** Reads a JSON file: a list of objects with a question and an answer, or an object of answers by question. */
export function readJsonPairs(text: string, limits: Limits): Section[] {
  return sectionsOf(pairsIn(parseJson(text, "")), limits);
}

/** Reads a file with one such object in each line. */
export function readJsonLinePairs(text: string, limits: Limits): Section[] {
  const pairs = text
    .split("\n")
    .flatMap((line, index) =>
      line.trim() === "" ? [] : pairsIn([parseJson(line, ` in line ${index + 1}`)]),
    );
  return sectionsOf(pairs, limits);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UnreadableError(`is not valid JSON${where}: ${error.message}`);
    throw error;
  }
}

function pairsIn(value: unknown): Pair[] {
  if (Array.isArray(value)) return value.filter(isJsonObject).map(pairOf);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([question, answer]) => ({ question, answer: textOf(answer) }));
}

function pairOf(fields: Record<string, unknown>): Pair {
  const named = (pattern: RegExp) => Object.entries(fields).find(([name]) => pattern.test(name))?.[1];
  return { question: textOf(named(QUESTION)), answer: textOf(named(ANSWER)) };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Help desks export answers as HTML. */
const HAS_TAGS = /<\/?(?:p|br|div|span|ul|ol|li|a|b|i|strong|em|h[1-6]|table)\b[^<>]*>/i;

function blocksOf(answer: string, limits: Limits): Block[] {
  if (HAS_TAGS.test(answer)) return readHtml(answer, limits).sections.flatMap(({ blocks }) => blocks);
  const lines = answer.split("\n").flatMap((line) => line.trim() || []);
  return lines.length === 0 ? [] : [{ kind: "text", lines }];
}

/** One section for each pair, with the question as its heading. */
function sectionsOf(pairs: readonly Pair[], limits: Limits): Section[] {
  const builder = new SectionBuilder(limits.characters);
  let found = 0;
  for (const { question, answer } of pairs) {
    const heading = question.replaceAll(/\s+/g, " ").trim();
    const blocks = blocksOf(answer, limits);
    if (heading === "" || blocks.length === 0) continue;
    builder.heading(1, heading);
    for (const { kind, lines } of blocks) builder.block(kind, lines);
    found++;
  }
  if (found === 0)
    throw new UnreadableError(
      "holds no pair of a question and an answer (`question` and `answer`, or `q` and `a`)",
    );
  return builder.sections;
}

/** Rows of a CSV file (RFC 4180) with commas, semicolons or tabs as separators. Empty rows are left out. */
export function parseCsv(text: string): string[][] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at, separator) : plainCell(text, at, separator);
    row.push(cell.text);
    at = cell.end;
    if (text[at] === separator) {
      at++;
      if (at === text.length) row.push("");
      continue;
    }
    rows.push(row);
    row = [];
    at++;
  }
  if (row.length > 0) rows.push(row);
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== ""));
}

interface Cell {
  text: string;
  end: number;
}

function plainCell(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== "\n") end++;
  return { text: text.slice(start, end), end };
}

/** Quotes inside are doubled. Text after the closing quote, which is invalid, is dropped. */
function quotedCell(text: string, start: number, separator: string): Cell {
  let at = start + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at < 0) {
      const line = text.slice(0, start).split("\n").length;
      throw new UnreadableError(`has a quote in line ${line} that is never closed`);
    }
    if (text[at + 1] !== '"') break;
    at += 2;
  }
  let end = at + 1;
  while (end < text.length && text[end] !== separator && text[end] !== "\n") end++;
  return { text: text.slice(start + 1, at).replaceAll('""', '"'), end };
}

/** Characters in which the first line is searched. */
const HEAD_CHARACTERS = 10_000;

/** The most frequent separator in the first line, outside quoted cells. */
function separatorOf(text: string): string {
  const [first = ""] = text
    .slice(0, HEAD_CHARACTERS)
    .replaceAll(/"(?:[^"]|"")*"/g, "")
    .split("\n", 1);
  const counts = [",", ";", "\t"].map((sign) => ({ sign, count: first.split(sign).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).sign;
}
