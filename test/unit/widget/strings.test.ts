import { expect, test } from "bun:test";

import { Glob } from "bun";

import english, { type Strings } from "../../../src/widget/strings/en.ts";
import { fill } from "../../../src/widget/strings/fill.ts";

const FOLDER = `${import.meta.dir}/../../../src/widget/strings`;
const files = [...new Glob("??.ts").scanSync(FOLDER)].toSorted();
const gaps = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).toSorted();

test.each(files)("%s says everything, with the same gaps as English", async (file) => {
  const { default: strings } = (await import(`${FOLDER}/${file}`)) as { default: Strings };
  expect(Object.keys(strings)).toEqual(Object.keys(english));
  for (const [key, text] of Object.entries(strings)) {
    expect([key, gaps(text)]).toEqual([key, gaps(english[key as keyof Strings])]);
    expect(text.trim()).toBe(text);
  }
});

test("fills gaps literally, and leaves those without a value", () => {
  expect(fill("{a} and {b}", { a: "$& {b}" })).toBe("$& {b} and {b}");
});
