import { type Block, type Section, UnreadableError } from "../document.ts";

interface OpenHeading {
  level: number;
  text: string;
  anchor: string | undefined;
}

/** A list that is being read: its next number, or undefined for bullets. */
interface OpenList {
  number: number | undefined;
  /** Marker at the start of the item's line, until it is written. */
  mark: string | undefined;
  /** Whether the item's line is begun, so that following text belongs to it. */
  isBegun: boolean;
}

/** Maximum indentation of nested lists: more would not be clearer. */
const MAX_INDENTS = 5;

/** Builds sections from headings, lines, lists and rows, in the document's order. */
export class SectionBuilder {
  readonly sections: Section[] = [];
  readonly #headings: OpenHeading[] = [];
  readonly #lists: OpenList[] = [];
  readonly #maxCharacters: number;
  #characters = 0;
  #section: Section = { heading: [], blocks: [] };
  #block: Block | undefined;

  /** @param maxCharacters maximum length of the text */
  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
    this.sections.push(this.#section);
  }

  /** Begins a section below the headings of lower levels. */
  heading(level: number, text: string, anchor?: string): void {
    this.#count(text);
    this.closeHeadings(level);
    this.#headings.push({ level, text, anchor });
    this.#begin();
    const list = this.#lists.at(-1);
    if (list !== undefined) Object.assign(list, { mark: undefined, isBegun: false });
  }

  /** Begins a section under the same headings, with an anchor of its own. */
  place(anchor: string): void {
    this.#begin(anchor);
  }

  /** Ends the sections of this level and below; following text belongs to their parent. */
  closeHeadings(level: number): void {
    const first = this.#headings.findIndex((heading) => heading.level >= level);
    if (first < 0) return;
    this.#headings.splice(first);
    this.#begin();
  }

  /** Adds lines of one paragraph or of the open list item; none of them is empty. */
  paragraph(lines: readonly string[]): void {
    const list = this.#lists.at(-1);
    if (list !== undefined && (list.mark !== undefined || list.isBegun)) this.#toEntry(list, lines.join(" "));
    else this.block("text", lines);
  }

  openList(first: number | undefined): void {
    if (this.#lists.length === 0) this.#block = undefined;
    this.#lists.push({ number: first, mark: undefined, isBegun: false });
  }

  openEntry(): void {
    const list = this.#lists.at(-1);
    if (list === undefined) return;
    const indent = "  ".repeat(Math.min(this.#lists.length - 1, MAX_INDENTS));
    list.mark = list.number === undefined ? `${indent}- ` : `${indent}${list.number++}. `;
    list.isBegun = false;
  }

  closeList(): void {
    this.#lists.pop();
    if (this.#lists.length === 0) this.#block = undefined;
  }

  /** Adds an item with its mark to a list without an explicit beginning. */
  entry(text: string): void {
    this.#addTo("list", text);
  }

  /** Adds a row to the current table. */
  row(cells: readonly string[]): void {
    const filled = cells.filter((cell) => cell !== "");
    if (filled.length === 0) return;
    this.#addTo("table", filled.join(" – "));
  }

  closeTable(): void {
    this.#block = undefined;
  }

  /** Adds a separate block. */
  block(kind: Block["kind"], lines: readonly string[]): void {
    for (const line of lines) this.#count(line);
    this.#section.blocks.push({ kind, lines: [...lines] });
    this.#block = undefined;
  }

  #toEntry(list: OpenList, text: string): void {
    if (list.mark !== undefined) this.#addTo("list", list.mark + text);
    else this.#continueEntry(text);
    list.mark = undefined;
    list.isBegun = true;
  }

  #continueEntry(text: string): void {
    this.#count(text);
    const lines = this.#block?.lines;
    if (lines === undefined || lines.length === 0) this.block("text", [text]);
    else lines.push(`${lines.pop()} ${text}`);
  }

  #addTo(kind: Block["kind"], line: string): void {
    this.#count(line);
    if (this.#block?.kind !== kind) {
      this.#block = { kind, lines: [] };
      this.#section.blocks.push(this.#block);
    }
    this.#block.lines.push(line);
  }

  #begin(anchor = this.#headings.at(-1)?.anchor): void {
    this.#section = {
      heading: this.#headings.map(({ text }) => text),
      ...(anchor !== undefined && { anchor }),
      blocks: [],
    };
    this.#block = undefined;
    this.sections.push(this.#section);
  }

  #count(text: string): void {
    this.#characters += text.length;
    if (this.#characters > this.#maxCharacters)
      throw new UnreadableError(`has more than ${this.#maxCharacters} characters of text; split it`);
  }
}
