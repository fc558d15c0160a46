import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT, pageOf } from "../../support/docs.ts";

interface Named {
  promise: string;
  file: string;
  name: string;
}

/** The entries of a list of promises. */
const entriesOf = (list: string) => list.split(/^(?=- )/m).filter((entry) => entry.startsWith("- "));

/** The tests that a list of promises names: below each promise a file between backticks, then names between quotes. */
function namedTests(page: string): Named[] {
  return entriesOf(page).flatMap((entry) => {
    const [promise = "", ...tests] = entry.replaceAll(/\s+/g, " ").split(/(?= - `test\/)/);
    return tests.flatMap((part) => {
      const file = /^ - `(test\/[^`]+)`/.exec(part)?.[1];
      if (file === undefined) return [];
      return Array.from(part.matchAll(/"([^"]+)"/g), ([, name]) => ({ promise, file, name: name! }));
    });
  });
}

/** Why a named test cannot be found; undefined where it stands in its file. */
function missing({ promise, file, name }: Named): string | undefined {
  const path = join(ROOT, file);
  if (!existsSync(path)) return `${promise}: there is no ${file}`;
  const source = readFileSync(path, "utf8");
  const stands = ['"', "'", "`"].some((quote) => source.includes(`${quote}${name}${quote}`));
  return stands ? undefined : `${promise}: ${file} has no test "${name}"`;
}

const PAGE = pageOf("docs/security.md");

test("every promise names tests that exist", () => {
  const named = namedTests(PAGE);
  expect(named.length).toBeGreaterThan(50);
  expect(named.map(missing).filter(Boolean)).toEqual([]);
});

test("no promise goes without a test", () => {
  const promises = PAGE.slice(PAGE.indexOf("## What is promised"), PAGE.indexOf("## What is not promised"));
  const entries = entriesOf(promises);
  expect(entries.length).toBeGreaterThan(40);
  expect(entries.filter((entry) => namedTests(entry).length === 0)).toEqual([]);
});

test.each([
  ["test/nowhere.test.ts", "any", "- kept: there is no test/nowhere.test.ts"],
  ["test/unit/docs/links.test.ts", "any", '- kept: test/unit/docs/links.test.ts has no test "any"'],
  ["test/unit/docs/links.test.ts", "every link of the documentation leads somewhere", undefined],
])("of %s, %s: %p", (file, name, why) => {
  expect(namedTests(`- kept\n  - \`${file}\`: "${name}"`).map(missing)).toEqual([why]);
});
