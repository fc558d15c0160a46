/** A part of a document that can be an answer: the unit of indexing and display. */
export interface SourcePassage {
  /** Headings above it, outermost first, without the document's title. */
  headingPath: readonly string[];
  /**
   * Plain text. A blank line stands between blocks, and each entry of a list has a line that begins with `- ` or `1. `, two spaces in
   * front for each list around its own. Each row of a table has a line, with ` – ` between its cells.
   */
  body: string;
  /** Fragment of a link to it: a heading's id, `page=3` in a PDF. */
  anchor?: string;
}

/** A run of lines that belong together: a paragraph, a list, a table. */
export interface Block {
  kind: "text" | "list" | "table";
  /** One for a paragraph; one for each entry or row of the others. */
  lines: string[];
}

/** Everything under one heading, up to the next. */
export interface Section {
  heading: readonly string[];
  anchor?: string;
  blocks: Block[];
}

/** A document as its parser makes it. */
export interface ParsedDocument {
  /** As the document itself has it. */
  title?: string;
  /** Where visitors find it, as the document itself has it. */
  url?: string;
  passages: SourcePassage[];
}

/** A document cannot be read. The message says why, to an operator, and begins in lower case. */
export class UnreadableError extends Error {
  override name = "UnreadableError";
}
