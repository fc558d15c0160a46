import type { Section } from "../document.ts";
import type { DocumentLimits } from "../limits.ts";
import { readHtml } from "./html.ts";

/** Reads Markdown without front matter, by way of HTML, because Markdown may contain HTML. Headings get the ids that GitHub gives them. */
export function readMarkdown(
  markdown: string,
  limits: Pick<DocumentLimits, "characters" | "depth">,
): Section[] {
  const { sections } = readHtml(Bun.markdown.html(markdown), limits);
  const used = new Map<string, number>();
  return sections.map((section) => withAnchor(section, used));
}

const WRITTEN_ID = /\s*\{#([\w:.-]+)\}$/;

function withAnchor(section: Section, used: Map<string, number>): Section {
  const last = section.heading.at(-1);
  const heading = section.heading.map((text) => text.replace(WRITTEN_ID, ""));
  if (last === undefined || section.anchor !== undefined) return { ...section, heading };
  const anchor = WRITTEN_ID.exec(last)?.[1] ?? slugOf(last, used);
  return { ...section, heading, ...(anchor !== "" && { anchor }) };
}

/** Lower case, hyphens for spaces, no punctuation; with a number if it was used before. */
function slugOf(heading: string, used: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
  const times = used.get(slug) ?? 0;
  used.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}

/** The front matter of a Markdown document or text, between two lines `---`. */
interface FrontMatter {
  title?: string;
  url?: string;
  /** The text after it. */
  body: string;
}

const FRONT_MATTER = /^---[ \t]*\n((?:.*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/**
 * Reads the lines `title:` and `url:` of front matter and drops the rest. Only plain values on one line are read: front matter is written for
 * site generators, each with other fields.
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
