import { type ParsedDocument, type Section, UnreadableError } from "../document.ts";
import type { DocumentLimits } from "../limits.ts";
import { splitSections } from "../split/split-sections.ts";
import { decodeText, htmlCharset } from "./decode-text.ts";
import { readDocx } from "./docx.ts";
import type { Format } from "./format.ts";
import { readHtml } from "./html.ts";
import { readFrontMatter, readMarkdown } from "./markdown.ts";
import { readCsvPairs, readJsonLinePairs, readJsonPairs } from "./pairs.ts";
import { readPdf } from "./pdf.ts";
import { SectionBuilder } from "./section-builder.ts";

/** A document's bytes with facts known before parsing. */
export interface RawDocument {
  format: Format;
  bytes: Uint8Array;
  /** From the server; the document's own marks have precedence. */
  charset?: string;
  limits: DocumentLimits;
}

/**
 * Reads a document and splits it into passages.
 *
 * @throws UnreadableError with the reason why it cannot be read
 */
export async function parseDocument(raw: RawDocument): Promise<ParsedDocument> {
  if (raw.bytes.length === 0) throw new UnreadableError("is empty");
  if (raw.bytes.length > raw.limits.bytes)
    throw new UnreadableError(`is larger than ${Math.round(raw.limits.bytes / 1e6)} MB`);
  const { title: own, url, sections } = await READERS[raw.format](raw);
  const title = titleOf(own, PAIRS.has(raw.format) ? undefined : firstHeading(sections));
  const passages = splitSections(withoutTitle(sections, title));
  if (passages.length === 0) throw new UnreadableError(NO_TEXT[raw.format] ?? "has no text");
  return { ...(title !== undefined && { title }), ...(url !== undefined && { url }), passages };
}

/** Formats whose first question is not the title. */
const PAIRS: ReadonlySet<Format> = new Set(["csv", "json", "jsonl"]);

function firstHeading(sections: readonly Section[]): string | undefined {
  return sections.find(({ heading }) => heading.length > 0)?.heading[0];
}

/** Many pages have the site's name in their title ("Returns | Acme"); the heading is their title then. */
function titleOf(own: string | undefined, heading: string | undefined): string | undefined {
  if (own === undefined || heading === undefined) return own ?? heading;
  const [whole, part] = [own.toLowerCase(), heading.toLowerCase()];
  const rest = whole.startsWith(part)
    ? own.slice(heading.length)
    : whole.endsWith(part)
      ? own.slice(0, -heading.length)
      : undefined;
  return rest === "" || /^\s*[|–—·•:›»-]|[|–—·•:›«-]\s*$/.test(rest ?? "") ? heading : own;
}

/** Removes the title from the headings, where it would be repeated. */
function withoutTitle(sections: readonly Section[], title: string | undefined): Section[] {
  return sections.map((section) =>
    section.heading[0] === title ? { ...section, heading: section.heading.slice(1) } : section,
  );
}

interface Read {
  title?: string;
  url?: string;
  sections: Section[];
}

const NO_TEXT: Partial<Record<Format, string>> = {
  html: "has no text; a page that is put together by JavaScript cannot be read",
};

const READERS: Record<Format, (raw: RawDocument) => Read | Promise<Read>> = {
  markdown: (raw) => {
    const { body, ...own } = readFrontMatter(textOf(raw));
    return { ...own, sections: readMarkdown(body, raw.limits) };
  },
  html: ({ bytes, charset, limits }) => {
    const html = decodeText(bytes, charset ?? htmlCharset(bytes));
    const { title, canonical, sections } = readHtml(html, limits);
    return {
      ...(title !== undefined && { title }),
      ...(canonical !== undefined && { url: canonical }),
      sections,
    };
  },
  text: (raw) => {
    const { body, ...own } = readFrontMatter(textOf(raw));
    return { ...own, sections: readPlainText(body, raw.limits) };
  },
  pdf: ({ bytes, limits }) => readPdf(bytes, limits),
  docx: async ({ bytes, limits }) => ({ sections: await readDocx(bytes, limits) }),
  csv: (raw) => ({ sections: readCsvPairs(textOf(raw), raw.limits) }),
  json: (raw) => ({ sections: readJsonPairs(textOf(raw), raw.limits) }),
  jsonl: (raw) => ({ sections: readJsonLinePairs(textOf(raw), raw.limits) }),
};

function textOf({ bytes, charset }: RawDocument): string {
  return decodeText(bytes, charset);
}

const ENTRY = /^(\s*)(?:[-*•]|\d{1,3}[.)])\s+\S/;

/** Reads plain text: blank lines separate paragraphs, and list items keep their lines. */
function readPlainText(text: string, { characters }: Pick<DocumentLimits, "characters">): Section[] {
  const builder = new SectionBuilder(characters);
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    const lines = paragraph.split("\n").filter((line) => line.trim() !== "");
    const [first] = lines;
    if (first === undefined) continue;
    if (lines.filter((line) => ENTRY.test(line)).length > 1) builder.block("list", entriesOf(lines));
    else builder.block("text", [lines.map((line) => line.trim()).join(" ")]);
  }
  return builder.sections;
}

/** A line that begins no item continues the one before. */
function entriesOf(lines: readonly string[]): string[] {
  const entries: string[] = [];
  for (const line of lines) {
    if (ENTRY.test(line) || entries.length === 0) entries.push(line.trim().replace(/^[*•]/, "-"));
    else entries.push(`${entries.pop()} ${line.trim()}`);
  }
  return entries;
}
