/** A part of a document that can be an answer by itself: a section, or a part of a long one. A source's splitter makes it. */
export interface Passage {
  /** The document that it is a part of. */
  documentId: string;
  /** The document's title. */
  title: string;
  /** Its headings, outermost first, without the document's title. */
  headingPath: readonly string[];
  /** Public address of the document; http or https. */
  url?: string;
  /** The id of the nearest heading above it. */
  anchor?: string;
  /** Plain text; a blank line separates paragraphs, and items of a list are on lines of their own. */
  body: string;
}

/** The text searched besides the body. */
export function titleOf({ title, headingPath }: Pick<Passage, "title" | "headingPath">): string {
  return [title, ...headingPath].join(" › ");
}

/** Link to the passage for visitors; undefined if the document has no address. */
export function linkOf({ url, anchor }: Pick<Passage, "url" | "anchor">): string | undefined {
  if (url === undefined || !anchor || url.includes("#")) return url;
  return `${url}#${encodeAnchor(anchor)}`;
}

/** `page=3` is not encoded, because PDF viewers require this form. */
function encodeAnchor(anchor: string): string {
  return encodeURIComponent(anchor).replaceAll("%3D", "=");
}
