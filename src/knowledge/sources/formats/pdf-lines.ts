/** A piece of text from pdf.js. */
export interface PdfItem {
  str: string;
  hasEOL: boolean;
  height: number;
  /** A matrix; its last two numbers are the position on the page, from the left and from the bottom. */
  transform: number[];
}

/** A line of a page. */
export interface PdfLine {
  text: string;
  /** Height of its letters. */
  height: number;
  /** Height of its baseline above the page's bottom. */
  y: number;
}

/**
 * Lines of a table of contents, which end with dots and a page number, are dropped. The dots are searched in so many last characters.
 * Chosen by hand.
 */
const LEADERS_WITHIN = 100;
const LEADERS = /(?:\s?\.){5,}\s*(?:\d+|[ivxl]+)$/;

/** The lines of a page in the order of the file, which mostly is the reading order. */
export function linesOf(items: readonly PdfItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let open: PdfLine = { text: "", height: 0, y: 0 };
  const end = () => {
    const text = open.text.replaceAll(/\s+/g, " ").trim();
    if (text !== "" && !LEADERS.test(text.slice(-LEADERS_WITHIN))) lines.push({ ...open, text });
    open = { text: "", height: 0, y: 0 };
  };
  for (const { str, hasEOL, height, transform } of items) {
    if (open.text.trim() === "" && str.trim() !== "") open.y = transform[5] ?? 0;
    open.text += str;
    open.height = Math.max(open.height, height);
    if (hasEOL) end();
  }
  end();
  return lines;
}

/** The most frequent height of letters. */
export function bodyHeight(pages: readonly (readonly PdfLine[])[]): number {
  const letters = new Map<number, number>();
  for (const { height, text } of pages.flat()) {
    const rounded = roundHeight(height);
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  return [...letters].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0])[0];
}

/** Rounds heights, so that heights that look equal are equal. */
export function roundHeight(height: number): number {
  return Math.round(height * 2) / 2;
}

/** `1/3`, `Page 1 of 3`, or an address and `1/3`, as printed by Chromium, Firefox and Safari: page number and page count. */
const PAGE_OF_PAGES = /^(?:\p{L}{1,12}|[a-z]+:\/\/\S+)?\s*(\d+)\s*(?:\/|\p{L}{1,4})\s*(\d+)$/u;
const LOCAL_FILE = /\bfile:\/\/\/\S/;
/** Date and time of printing, mostly followed by the page's title. */
const PRINTED_AT = /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}[:.]\d{2}/;

/** Removes the lines that browsers print at the edges of a page: address, page number and, above these, the date. */
export function withoutPrintMarks(pages: readonly PdfLine[][]): PdfLine[][] {
  return pages.map((page, index) => {
    const edges = edgesOf(page);
    const marks = edges.filter(
      ({ text }) => LOCAL_FILE.test(text) || isNumberOf(text, index + 1, pages.length),
    );
    if (marks.length === 0) return page;
    const printed = new Set([...marks, ...edges.filter(({ text }) => PRINTED_AT.test(text))]);
    return page.filter((line) => !printed.has(line));
  });
}

function isNumberOf(text: string, page: number, pages: number): boolean {
  const [, number, of] = PAGE_OF_PAGES.exec(text) ?? [];
  return Number(number) === page && Number(of) === pages;
}

/** Minimum number of pages at which a line on most of them is a running title. */
const MIN_PAGES = 3;

/** Removes running titles: the first or last lines of more than half of the pages, apart from page numbers. */
export function withoutRunningTitles(pages: readonly PdfLine[][]): PdfLine[][] {
  if (pages.length < MIN_PAGES) return [...pages];
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const line of new Set(edgesOf(page).map(shapeOf))) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const isRunning = (line: PdfLine) => (counts.get(shapeOf(line)) ?? 0) > pages.length / 2;
  return pages.map((page) => {
    const edges = new Set(edgesOf(page).filter(isRunning));
    return page.filter((line) => !edges.has(line));
  });
}

function edgesOf(page: readonly PdfLine[]): PdfLine[] {
  return [...page.slice(0, 2), ...page.slice(-2)];
}

const shapeOf = ({ text }: PdfLine): string => text.replaceAll(/\d+/g, "0");
