const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Elements whose content is not part of the text. */
const SKIPPED = words(
  "script style noscript template svg math nav aside button select textarea iframe object video audio canvas dialog",
);

/** Elements that begin and end a line. */
export const BLOCKS = words(
  "address article blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu ol p pre section summary table tbody td tfoot th thead tr ul caption",
);

/** Heading level of a question in a collapsed FAQ, or in a definition list. */
export const QUESTION_LEVEL = 7;

const LEVELS: ReadonlyMap<string, number> = new Map([
  ["h1", 1],
  ["h2", 2],
  ["h3", 3],
  ["h4", 4],
  ["h5", 5],
  ["h6", 6],
  ["summary", QUESTION_LEVEL],
  ["dt", QUESTION_LEVEL],
]);

export type Attributes = Readonly<Record<string, string>>;

/** The level of a heading; undefined for other elements. */
export function headingLevel(tag: string): number | undefined {
  return LEVELS.get(tag);
}

/** The element with the page's content: `main`, else `article`, else undefined. */
export function contentTag(html: string): "main" | "article" | undefined {
  if (/<main[\s>]|role\s*=\s*["']?main\b/i.test(html)) return "main";
  return /<article[\s>]/i.test(html) ? "article" : undefined;
}

/** Whether an element is a content element. */
export function isContent(tag: string, attributes: Attributes, content: string): boolean {
  return tag === content || (content === "main" && attributes["role"] === "main");
}

/**
 * Whether an element and its content are left out: hidden parts, and tools. A collapsed part can be opened by visitors, and is recognised by its
 * role or its value of `hidden`.
 */
export function isSkipped(tag: string, attributes: Attributes): boolean {
  if (SKIPPED.has(tag) || attributes["aria-hidden"] === "true") return true;
  return attributes["hidden"] !== undefined && !isFolded(attributes);
}

function isFolded({ hidden, role, ...others }: Attributes): boolean {
  return (
    hidden === "until-found" ||
    role === "region" ||
    role === "tabpanel" ||
    others["aria-labelledby"] !== undefined
  );
}
