/** What stands above a Markdown document or a text, between two lines `---`. */
export interface FrontMatter {
  title?: string;
  url?: string;
  /** What follows. */
  body: string;
}

const FRONT_MATTER = /^---[ \t]*\n((?:.*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/**
 * Takes the lines `title:` and `url:` out of front matter; the rest of it is dropped. Only plain values on one line count: front matter is
 * written for site generators, each of which knows other fields.
 */
export function readFrontMatter(text: string): FrontMatter {
  const found = FRONT_MATTER.exec(text);
  if (found === null) return { body: text };
  const [whole, fields = ""] = found;
  const title = valueOf(fields, "title");
  const url = valueOf(fields, "url");
  return {
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    body: text.slice(whole.length),
  };
}

function valueOf(fields: string, name: string): string | undefined {
  const value = new RegExp(`^${name}[ \\t]*:[ \\t]*(.+)$`, "im").exec(fields)?.[1]?.trim();
  const inQuotes = value === undefined ? null : /^(["'])(.*)\1$/.exec(value);
  return (inQuotes ? inQuotes[2] : value) || undefined;
}
