import { UnreadableError } from "../document.ts";

/** Rows of a CSV file (RFC 4180), whose cells stand between commas, semicolons or tabs. Empty rows are left out. */
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

/** A quote within is written twice. What stands behind the closing one, against the rules, is dropped. */
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

/** The first line is looked for in so many characters. */
const HEAD_CHARACTERS = 10_000;

/** What stands most often in the first line, quoted cells left out. */
function separatorOf(text: string): string {
  const [first = ""] = text
    .slice(0, HEAD_CHARACTERS)
    .replaceAll(/"(?:[^"]|"")*"/g, "")
    .split("\n", 1);
  const counts = [",", ";", "\t"].map((sign) => ({ sign, count: first.split(sign).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).sign;
}
