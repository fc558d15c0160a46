import type { Section } from "../document.ts";
import type { DocumentLimits } from "../limits.ts";
import { SectionBuilder } from "./section-builder.ts";

const ENTRY = /^(\s*)(?:[-*•]|\d{1,3}[.)])\s+\S/;

/** Reads a text: blank lines stand between its paragraphs, and entries of a list keep lines of their own. */
export function readPlainText(text: string, { characters }: Pick<DocumentLimits, "characters">): Section[] {
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

/** A line that begins no entry goes on with the one before. */
function entriesOf(lines: readonly string[]): string[] {
  const entries: string[] = [];
  for (const line of lines) {
    if (ENTRY.test(line) || entries.length === 0) entries.push(line.trim().replace(/^[*•]/, "-"));
    else entries.push(`${entries.pop()} ${line.trim()}`);
  }
  return entries;
}
