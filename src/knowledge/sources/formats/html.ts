import { Parser } from "htmlparser2";

import { type Section, UnreadableError } from "../document.ts";
import type { DocumentLimits } from "../limits.ts";
import {
  type Attributes,
  BLOCKS,
  contentTag,
  headingLevel,
  isContent,
  isSkipped,
  QUESTION_LEVEL,
} from "./html-tags.ts";
import { SectionBuilder } from "./section-builder.ts";

/** The content of an HTML page without its surroundings. */
export interface HtmlDocument {
  title?: string;
  /** The page's canonical address. */
  canonical?: string;
  sections: Section[];
}

type HtmlLimits = Pick<DocumentLimits, "characters" | "depth">;

/**
 * Reads a page without menus, tools and hidden parts; only its `main` or `article` if it has one.
 *
 * @throws UnreadableError if it is nested too deeply, or has too much text
 */
export function readHtml(html: string, limits: HtmlLimits): HtmlDocument {
  const content = contentTag(html);
  // Some pages have an empty `main`, or are entirely inside a form.
  const attempts: Selection[] = [
    { content, withForms: false },
    { content: undefined, withForms: false },
    { content: undefined, withForms: true },
  ];
  let document: HtmlDocument = { sections: [] };
  for (const selection of attempts.slice(content === undefined ? 1 : 0)) {
    document = new HtmlReader(selection, limits).read(html);
    if (document.sections.some(({ blocks }) => blocks.length > 0)) break;
  }
  return document;
}

/** Which parts of a page are read. */
interface Selection {
  /** The element with the content; undefined: the whole page. */
  content: "main" | "article" | undefined;
  withForms: boolean;
}

/** A heading that is being read. */
interface OpenHeading {
  depth: number;
  level: number;
  anchor: string | undefined;
}

class HtmlReader {
  readonly #selection: Selection;
  readonly #limits: HtmlLimits;
  readonly #builder: SectionBuilder;
  #depth = 0;
  /** Depth of the outermost left-out element, and of the content element. */
  #skippedAt = Infinity;
  #contentAt = Infinity;
  #titleAt = Infinity;
  #preAt = Infinity;
  #heading: OpenHeading | undefined;
  #row: string[] | undefined;
  #text = "";
  #title = "";
  #canonical: string | undefined;
  /** Id of an opened element that has no content yet. */
  #id: string | undefined;

  constructor(selection: Selection, limits: HtmlLimits) {
    this.#selection = selection;
    this.#limits = limits;
    this.#builder = new SectionBuilder(limits.characters);
  }

  read(html: string): HtmlDocument {
    const parser = new Parser({
      onopentag: (tag, attributes) => this.#open(tag, attributes),
      ontext: (text) => this.#add(text),
      onclosetag: (tag) => this.#close(tag),
    });
    parser.write(html);
    parser.end();
    this.#flush();
    const title = collapse(this.#title);
    return {
      ...(title !== "" && { title }),
      ...(this.#canonical !== undefined && { canonical: this.#canonical }),
      sections: this.#builder.sections,
    };
  }

  get #isRead(): boolean {
    const isInside = this.#selection.content === undefined || this.#depth >= this.#contentAt;
    return isInside && this.#skippedAt === Infinity;
  }

  #open(tag: string, attributes: Attributes): void {
    this.#depth++;
    if (this.#depth > this.#limits.depth)
      throw new UnreadableError(`has elements nested deeper than ${this.#limits.depth}`);
    if (tag === "title" && this.#title === "") this.#titleAt = Math.min(this.#titleAt, this.#depth);
    if (tag === "link" && attributes["rel"] === "canonical") this.#canonical ??= attributes["href"];
    this.#openRegion(tag, attributes);
    if (this.#isRead) this.#openRead(tag, attributes);
  }

  #openRegion(tag: string, attributes: Attributes): void {
    const { content } = this.#selection;
    if (this.#skippedAt < Infinity) return;
    if (content !== undefined && this.#contentAt === Infinity && isContent(tag, attributes, content))
      this.#contentAt = this.#depth;
    if (this.#isLeftOut(tag, attributes)) this.#skippedAt = this.#depth;
  }

  #isLeftOut(tag: string, attributes: Attributes): boolean {
    // Collapsed questions are often buttons within headings.
    if (tag === "button" && this.#heading !== undefined) return false;
    if (tag === "form") return !this.#selection.withForms;
    if ((tag === "header" || tag === "footer") && this.#contentAt === Infinity) return true;
    return isSkipped(tag, attributes);
  }

  #openRead(tag: string, attributes: Attributes): void {
    const { id, name } = attributes;
    if (tag === "br") this.#text += "\n";
    if (tag === "img") this.#addWord(attributes["alt"]);
    if (this.#heading !== undefined) {
      this.#heading.anchor ??= id ?? (tag === "a" ? name : undefined);
      return;
    }
    if (!BLOCKS.has(tag)) return;
    this.#endLine();
    const level = headingLevel(tag);
    if (level !== undefined) this.#heading = { depth: this.#depth, level, anchor: id ?? this.#id };
    else if (tag === "pre") this.#preAt = Math.min(this.#preAt, this.#depth);
    this.#id = id ?? this.#id;
    this.#openStructure(tag, attributes);
  }

  #openStructure(tag: string, { start }: Attributes): void {
    if (tag === "ul" || tag === "menu") this.#builder.openList(undefined);
    else if (tag === "ol") this.#builder.openList(/^\d{1,6}$/.test(start ?? "") ? Number(start) : 1);
    else if (tag === "li") this.#builder.openEntry();
    else if (tag === "tr") this.#row = [];
  }

  #add(text: string): void {
    if (this.#depth >= this.#titleAt) this.#title += text;
    else if (this.#isRead) {
      // A line break in the source is a space, but that of a `br` is kept.
      this.#text += this.#depth >= this.#preAt ? text : text.replaceAll("\n", " ");
      if (this.#text.length > this.#limits.characters) this.#flush();
    }
  }

  #addWord(word = ""): void {
    if (word.trim().length > 2) this.#text += ` ${collapse(word)} `;
  }

  #close(tag: string): void {
    if (this.#isRead) this.#closeRead(tag);
    if (this.#depth === this.#skippedAt) this.#skippedAt = Infinity;
    if (this.#depth === this.#contentAt) this.#contentAt = Infinity;
    if (this.#depth === this.#titleAt) this.#titleAt = Infinity;
    if (this.#depth === this.#preAt) this.#preAt = Infinity;
    this.#depth--;
  }

  #closeRead(tag: string): void {
    if (this.#heading?.depth === this.#depth) this.#endHeading(this.#heading);
    if (this.#heading !== undefined || !BLOCKS.has(tag)) return;
    if (tag === "td" || tag === "th") this.#endCell();
    else this.#endLine();
    if (tag === "ul" || tag === "ol" || tag === "menu") this.#builder.closeList();
    else if (tag === "tr") this.#endRow();
    else if (tag === "table") this.#builder.closeTable();
    else if (tag === "details" || tag === "dl") this.#builder.closeHeadings(QUESTION_LEVEL);
  }

  #endHeading({ level, anchor }: OpenHeading): void {
    const text = collapse(this.#text).replace(/\s*[¶#]$/, "");
    this.#text = "";
    this.#heading = undefined;
    this.#id = undefined;
    if (text !== "") this.#builder.heading(level, text, anchor);
  }

  /** Within a cell, a line break is a space. */
  #endLine(): void {
    if (this.#row !== undefined) this.#text += " ";
    else this.#flush();
  }

  #endCell(): void {
    if (this.#row === undefined) return this.#flush();
    this.#row.push(collapse(this.#text));
    this.#text = "";
  }

  #endRow(): void {
    if (this.#row === undefined) return;
    if (this.#text.trim() !== "") this.#endCell();
    this.#builder.row(this.#row);
    this.#row = undefined;
  }

  #flush(): void {
    const lines = this.#text.includes("\n") ? this.#text.split("\n").map(collapse) : [collapse(this.#text)];
    this.#text = "";
    const filled = lines.filter((line) => line !== "");
    if (filled.length === 0) return;
    this.#id = undefined;
    if (this.#preAt <= this.#depth) this.#builder.block("table", filled);
    else this.#builder.paragraph(filled);
  }
}

/** White space that must become a single space, or be removed. */
const UNEVEN = /[^\S ]| {2}/;

function collapse(text: string): string {
  return (UNEVEN.test(text) ? text.replaceAll(/\s+/g, " ") : text).trim();
}
