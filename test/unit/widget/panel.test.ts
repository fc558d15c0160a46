import { describe, expect, test } from "bun:test";

import { initialsOf } from "../../../src/widget/panel/avatar.tsx";
import { withoutLooseCells } from "../../../src/widget/panel/progress.tsx";
import { dayBetween, formatsOf, timeOf } from "../../../src/widget/panel/times.ts";

const at = (text: string) => new Date(text).getTime();
const NOW = at("2026-11-22T14:05:00");

describe("days", () => {
  test.each([
    [undefined, "2026-11-22T00:01:00", undefined],
    ["2026-11-22T00:01:00", "2026-11-22T23:59:00", undefined],
    [undefined, "2026-11-21T23:59:00", "Yesterday"],
    ["2026-11-21T23:59:00", "2026-11-22T00:01:00", "Today"],
    [undefined, "2026-11-20T12:00:00", "Friday, November 20"],
  ])("between %p and %p stands %p", (before, message, day) => {
    expect(dayBetween(before === undefined ? undefined : at(before), at(message), "en", NOW)).toBe(day);
  });

  test("are named in the visitor's language", () => {
    expect(dayBetween(undefined, at("2026-11-21T12:00:00"), "de", NOW)).toBe("Gestern");
    expect(dayBetween(undefined, at("2026-11-20T12:00:00"), "de", NOW)).toBe("Freitag, 20. November");
  });
});

describe("times", () => {
  test.each([
    ["en-GB", "en", "en-GB", "14:05"],
    ["en_AU", "en", "en-AU", "2:05 pm"],
    ["en-US", "en", "en-US", "2:05 PM"],
    ["zh-Hant-TW", "zh-hant", "zh-Hant-TW", "下午2:05"],
    ["zh-HK", "zh-hant", "zh-HK", "下午2:05"],
    // The widget speaks English where it does not speak the page's language.
    ["sv-SE", "en", "en", "2:05 PM"],
    ["en-GB-oxford-oxford", "en", "en", "2:05 PM"],
    ["", "en", "en", "2:05 PM"],
  ])(
    "of a page in %p, to which the widget speaks %p, are written as in %p: %p",
    (locale, language, formats, time) => {
      expect(formatsOf({ locale, language })).toBe(formats);
      // A narrow space stands before AM and PM where the Unicode data are newer.
      expect(timeOf(NOW, formats).replace("\u202F", " ")).toBe(time);
    },
  );
});

test.each([
  ["Acme Support", "AS"],
  ["acme", "A"],
  ["The Very Long Name", "TN"],
  ["(Beta) 24h help", "BH"],
  ["シティ キオスク", "シキ"],
  ["🙂", ""],
])("the initials of %p are %p", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test.each([
  ["text", "text"],
  ["a | b", "a | b"],
  ["Prices:\n\n| Item", "Prices:\n"],
  ["| Item | Price |\n", ""],
  ["| Item | Price |\n|---", ""],
  ["| Item | Price |\n|---|---|\n", "| Item | Price |\n|---|---|"],
  ["| Item | Price |\n|---|---|\n| Shirt | 1", "| Item | Price |\n|---|---|"],
  ["| Item | Price |\n|---|---|\n| Shirt | 1 |\n", "| Item | Price |\n|---|---|\n| Shirt | 1 |"],
])("of %p nothing streams in that would show bars: %p", (text, shown) => {
  expect(withoutLooseCells(text)).toBe(shown);
});
