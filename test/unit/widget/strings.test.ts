import { describe, expect, test } from "bun:test";

import { Glob } from "bun";

import { WORDINGS } from "../../../src/texts/wordings.ts";
import english from "../../../src/widget/strings/en.ts";
import { fill } from "../../../src/widget/strings/fill.ts";
import people from "../../../src/widget/strings/people/en.ts";

const FOLDER = `${import.meta.dir}/../../../src/widget/strings`;
const gaps = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).toSorted();
const filesIn = (folder: string) => [...new Glob("{??,??-????}.ts").scanSync(folder)].toSorted();

describe.each([
  ["the panel", FOLDER, english],
  ["ratings and hand-offs", `${FOLDER}/people`, people],
] as const)("of %s", (_, folder, known: Readonly<Record<string, string>>) => {
  test.each(filesIn(folder))("%s says everything, with the same gaps as English", async (file) => {
    const { default: strings } = (await import(`${folder}/${file}`)) as { default: typeof known };
    expect(Object.keys(strings)).toEqual(Object.keys(known));
    for (const [key, text] of Object.entries(strings)) {
      expect([key, gaps(text)]).toEqual([key, gaps(known[key]!)]);
      expect(text.trim()).toBe(text);
    }
  });

  test("is there in the same languages", () => {
    expect(filesIn(folder)).toEqual(filesIn(FOLDER));
  });
});

test.each(filesIn(FOLDER))("a bot understands what %s calls none of its choices", async (file) => {
  const { default: strings } = (await import(`${FOLDER}/${file}`)) as { default: typeof english };
  expect(Object.values(WORDINGS).map(({ noneOfThese }) => noneOfThese)).toContain(strings.noneOfThese);
});

/** The characters of Big5, which has Traditional ones only. */
function traditional(): Set<string> {
  const pairs = Array.from({ length: 0xf9 - 0xa3 }, (_, row) =>
    Array.from({ length: 0xff - 0x40 }, (__, column) => [0xa4 + row, 0x40 + column]),
  );
  return new Set(new TextDecoder("big5").decode(new Uint8Array(pairs.flat(2))));
}

test.each(["", "people/"])(
  "Traditional Chinese is written in no Simplified character: %p",
  async (folder) => {
    const { default: strings } = (await import(`${FOLDER}/${folder}zh-hant.ts`)) as { default: object };
    const known = traditional();
    expect([known.has("訊"), known.has("讯")]).toEqual([true, false]);
    const used = Object.values(strings)
      .join("")
      .match(/\p{Script=Han}/gu)!;
    expect(used.filter((character) => !known.has(character))).toEqual([]);
  },
);

test("ratings and hand-offs reword nothing of the panel", () => {
  expect(Object.keys(people).filter((key) => key in english)).toEqual([]);
});

test("fills gaps literally, and leaves those without a value", () => {
  expect(fill("{a} and {b}", { a: "$& {b}" })).toBe("$& {b} and {b}");
});
