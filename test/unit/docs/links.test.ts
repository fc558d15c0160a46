import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { PAGES, pageOf, proseOf, ROOT, withoutCodeBlocks } from "../../support/docs.ts";

/** What GitHub makes of the headings of a page, for addresses; a repeated one gets a number. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutCodeBlocks(page).matchAll(/^#+ +(.+)$/gm)) {
    const text = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = text.replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Where the links and pictures of a page lead, addresses of other sites aside. */
function targetsOf(page: string): string[] {
  return Array.from(proseOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target!).filter(
    (target) => !/^[a-z]+:/.test(target),
  );
}

/** Why a link leads nowhere; undefined where it leads somewhere. */
function deadEnd(from: string, target: string): string | undefined {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? from : join(dirname(from), path);
  if (!existsSync(join(ROOT, file))) return `${from}: there is no ${file}`;
  if (anchor === undefined || anchorsOf(pageOf(file)).has(anchor)) return undefined;
  return `${from}: ${file} has no heading for #${anchor}`;
}

test("every link of the documentation leads somewhere", () => {
  const links = [...PAGES].flatMap(([from, page]) => targetsOf(page).map((target) => ({ from, target })));
  expect(links.length).toBeGreaterThan(30);
  expect(links.map(({ from, target }) => deadEnd(from, target)).filter(Boolean)).toEqual([]);
});

test("every page of docs/ can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const from of reached) {
    for (const target of targetsOf(PAGES.get(from) ?? ""))
      reached.add(join(dirname(from), target.replace(/#.*/, "")));
  }
  const pages = [...PAGES.keys()].filter((path) => path.startsWith("docs/"));
  expect(pages.filter((path) => !reached.has(path))).toEqual([]);
});

test.each([
  ["README.md", "docs/nowhere.md", "README.md: there is no docs/nowhere.md"],
  ["docs/api.md", "#no-such-heading", "docs/api.md: docs/api.md has no heading for #no-such-heading"],
  ["docs/api.md", "operating/settings.md#all-settings", undefined],
])("a link of %s to %s: %p", (from, target, why) => {
  expect(deadEnd(from, target)).toBe(why);
});
