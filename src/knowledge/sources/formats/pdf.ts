import { definePDFJSModule, getDocumentProxy } from "unpdf";
import * as pdfjs from "unpdf/pdfjs" with { type: "file" };

import { type Section, UnreadableError } from "../document.ts";
import type { DocumentLimits } from "../limits.ts";
import {
  bodyHeight,
  linesOf,
  type PdfItem,
  type PdfLine,
  roundHeight,
  withoutPrintMarks,
  withoutRunningTitles,
} from "./pdf-lines.ts";
import { SectionBuilder } from "./section-builder.ts";

/**
 * Reads the text of a PDF. It has only lines, without headings or paragraphs: larger letters count as headings, and gaps as ends of paragraphs.
 * Each page begins a section, which a link can open.
 *
 * @throws UnreadableError if it is protected, has too many pages, or no text
 */
export async function readPdf(
  bytes: Uint8Array,
  limits: DocumentLimits,
): Promise<{ title?: string; sections: Section[] }> {
  const pdf = await openPdf(bytes);
  try {
    if (pdf.numPages > limits.pages)
      throw new UnreadableError(`has ${pdf.numPages} pages; at most ${limits.pages} are read`);
    const pages = await readPages(pdf, limits);
    if (pages.every((page) => page.length === 0))
      throw new UnreadableError(
        "has no text, only pictures: it was scanned; run text recognition (OCR) on it",
      );
    const title = await titleOf(pdf);
    const sections = sectionsOf(withoutRunningTitles(withoutPrintMarks(pages)), limits);
    return { ...(title !== undefined && { title }), sections };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/**
 * pdf.js is a file in the executable, and is compiled when the first PDF is read: compiled beforehand, it would add 5.6 MB to each
 * executable.
 */
const pdfjsPath = (pdfjs as unknown as { default: string }).default;
let loading: Promise<void> | undefined;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  await (loading ??= definePDFJSModule(() => import(pdfjsPath)));
  try {
    // pdf.js takes ownership of the bytes, so it gets a copy.
    return await getDocumentProxy(new Uint8Array(bytes), {
      useSystemFonts: false,
      disableFontFace: true,
      verbosity: 0,
    });
  } catch (error) {
    const { name, message } = error as Error;
    if (name === "PasswordException") throw new UnreadableError("is protected by a password");
    throw new UnreadableError(`is not a readable PDF (${message.replace(/\.$/, "")})`);
  }
}

/** Titles written by programs for untitled documents. */
const NO_TITLE = /^(?:untitled|unknown|title|microsoft word\b.*|\S+\.[a-z]{2,4})$/i;

async function titleOf(pdf: Pdf): Promise<string | undefined> {
  const { info } = await pdf.getMetadata();
  const { Title: title } = info as { Title?: unknown };
  const text = typeof title === "string" ? title.trim() : "";
  return text === "" || NO_TITLE.test(text) ? undefined : text;
}

async function readPages(pdf: Pdf, limits: DocumentLimits): Promise<PdfLine[][]> {
  const pages: PdfLine[][] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines = linesOf(items.filter((item): item is typeof item & PdfItem => "str" in item));
    page.cleanup();
    characters += lines.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > limits.characters)
      throw new UnreadableError(`has more than ${limits.characters} characters of text; split it`);
    pages.push(lines);
  }
  return pages;
}

/** Letters that are larger by this factor than most are a heading. Chosen by hand. */
const HEADING_RATIO = 1.15;
/** A longer line in large letters is no heading. Chosen by hand. */
const MAX_HEADING = 120;
/** A larger gap between lines, in heights of their letters, ends a paragraph. Chosen by hand. */
const PARAGRAPH_GAP = 1.8;

const BULLET = /^[•▪●◦‣∙·]\s*/u;
const NUMBERED = /^\d{1,2}[.)]\s/;

function sectionsOf(pages: readonly (readonly PdfLine[])[], { characters }: DocumentLimits): Section[] {
  const builder = new SectionBuilder(characters);
  const levels = headingLevels(pages);
  for (const [index, page] of pages.entries()) {
    const anchor = `page=${index + 1}`;
    builder.place(anchor);
    for (const group of groupsOf(page, levels)) {
      const text = group.lines.reduce(joined, "");
      const level = levels.get(roundHeight(group.height));
      if (level !== undefined && text.length <= MAX_HEADING) builder.heading(level, text, anchor);
      else if (BULLET.test(text)) builder.entry(text.replace(BULLET, "- "));
      else if (NUMBERED.test(text)) builder.entry(text);
      else builder.block("text", [text]);
    }
  }
  return builder.sections;
}

/** A heading level for each height of letters that is clearly larger than most, the largest first. */
function headingLevels(pages: readonly (readonly PdfLine[])[]): ReadonlyMap<number, number> {
  const smallest = bodyHeight(pages) * HEADING_RATIO;
  const heights = [...new Set(pages.flat().map(({ height }) => roundHeight(height)))];
  const large = heights.filter((height) => height >= smallest).toSorted((one, other) => other - one);
  return new Map(large.map((height, index) => [height, Math.min(index + 1, 6)]));
}

interface Group {
  height: number;
  y: number;
  lines: string[];
}

/** Lines of one paragraph, list item or heading. */
function groupsOf(page: readonly PdfLine[], levels: ReadonlyMap<number, number>): Group[] {
  const groups: Group[] = [];
  for (const line of page) {
    const open = groups.at(-1);
    if (open !== undefined && goesOn(open, line, levels)) {
      open.lines.push(line.text);
      open.y = line.y;
    } else groups.push({ height: line.height, y: line.y, lines: [line.text] });
  }
  return groups;
}

function goesOn(open: Group, line: PdfLine, levels: ReadonlyMap<number, number>): boolean {
  if (BULLET.test(line.text) || NUMBERED.test(line.text)) return false;
  if (levels.get(roundHeight(open.height)) !== levels.get(roundHeight(line.height))) return false;
  const gap = open.y - line.y;
  return gap >= 0 && gap <= PARAGRAPH_GAP * Math.max(open.height, line.height);
}

/** Joins a word that is hyphenated at the end of a line. */
function joined(text: string, line: string): string {
  if (text === "") return line;
  return /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(line) ? text.slice(0, -1) + line : `${text} ${line}`;
}
