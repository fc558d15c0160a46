import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Glob } from "bun";

export const ROOT = join(import.meta.dir, "../..");

/** Pages of the documentation, by their path from the root. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  ["README.md", "CHANGELOG.md", ...new Glob("{docs,src}/**/*.md").scanSync(ROOT)]
    .toSorted()
    .map((path) => [path, readFileSync(join(ROOT, path), "utf8")]),
);

/** @throws if there is no such page. */
export function pageOf(path: string): string {
  const page = PAGES.get(path);
  if (page === undefined) throw new Error(`there is no page ${path}`);
  return page;
}

const CODE_BLOCK = /^```.*?^```/gms;
const CODE_SPAN = /`([^`\n]+)`/g;

/** The page without its blocks of code. */
export function withoutCodeBlocks(page: string): string {
  return page.replaceAll(CODE_BLOCK, "");
}

/** A page's block of code: its language, and its text. */
interface Block {
  language: string;
  text: string;
}

/** The blocks of code of a page, in their order. */
export function blocksOf(page: string): Block[] {
  const blocks = page.matchAll(/^```(\w*)\n(.*?)^```/gms);
  return Array.from(blocks, ([, language = "", text = ""]) => ({ language, text }));
}

/** The lines of all blocks of code. */
export function codeLinesOf(page: string): string[] {
  return (page.match(CODE_BLOCK) ?? []).flatMap((block) => block.split("\n"));
}

/** The code spans (between backticks) in the text. */
export function codeSpansOf(page: string): string[] {
  return Array.from(withoutCodeBlocks(page).matchAll(CODE_SPAN), ([, code]) => code!);
}

/** The page without code of either kind. */
export function proseOf(page: string): string {
  return withoutCodeBlocks(page).replaceAll(CODE_SPAN, "code");
}
