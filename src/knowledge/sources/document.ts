/** A part of a document that can be an answer: the unit of indexing and display. */
export interface SourcePassage {
  /** Headings above it, outermost first, without the document's title. */
  headingPath: readonly string[];
  /**
   * Plain text. A blank line separates blocks. A list item is a line that begins with `- ` or `1. `, indented by two spaces for each list around
   * its own. A table row is a line with ` – ` between its cells.
   */
  body: string;
  /** Fragment of a link to it: a heading's id, or `page=3` in a PDF. */
  anchor?: string;
}

/** Lines that belong together: a paragraph, a list, a table. */
export interface Block {
  kind: "text" | "list" | "table";
  /** One line for a paragraph; one for each list item or table row. */
  lines: string[];
}

/** The content below one heading, up to the next. */
export interface Section {
  heading: readonly string[];
  anchor?: string;
  blocks: Block[];
}

/** A document as parsed. */
export interface ParsedDocument {
  /** From the document itself. */
  title?: string;
  /** Public address, from the document itself. */
  url?: string;
  passages: SourcePassage[];
}

/** A document cannot be read. The message tells an operator why, and begins in lower case. */
export class UnreadableError extends Error {
  override name = "UnreadableError";
}
