/** A stretch of a document that answers by itself: a section, or a part of a long one. A source's splitter makes it. */
export interface Passage {
  /** The document that it is a part of. */
  documentId: string;
  /** The document's title. */
  title: string;
  /** The headings that it stands under, the outermost first; none repeats the document's title. */
  headingPath: readonly string[];
  /** Where visitors find the document; http or https. */
  url?: string;
  /** The id of the nearest heading above it. */
  anchor?: string;
  /** Plain text; paragraphs are parted by a blank line, items of a list stand on lines of their own. */
  body: string;
}

/** What a passage is found by beside its body. */
export function titleOf({ title, headingPath }: Pick<Passage, "title" | "headingPath">): string {
  return [title, ...headingPath].join(" › ");
}

/** Where a visitor reads on; undefined where the document has no address. */
export function linkOf({ url, anchor }: Pick<Passage, "url" | "anchor">): string | undefined {
  if (url === undefined || !anchor || url.includes("#")) return url;
  return `${url}#${encodeAnchor(anchor)}`;
}

/** `page=3` stays what it is: viewers of PDF read it so. */
function encodeAnchor(anchor: string): string {
  return encodeURIComponent(anchor).replaceAll("%3D", "=");
}
