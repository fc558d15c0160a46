import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { sentencesOf } from "../../../src/knowledge/sentences.ts";

const textsOf = (text: string, language: string) =>
  sentencesOf(text, language).map(({ start, end }) => text.slice(start, end));

describe("sentences", () => {
  test.each([
    ["en", "Dr. Smith is in. Please ring the bell.", ["Dr. Smith is in.", "Please ring the bell."]],
    ["en", "Yes. You can pay by card at the desk.", ["Yes. You can pay by card at the desk."]],
    ["en", "You can pay by card at the desk. Yes.", ["You can pay by card at the desk. Yes."]],
    [
      "de",
      "Das kostet ca. 5 Euro im Monat. Alles ist dabei.",
      ["Das kostet ca. 5 Euro im Monat.", "Alles ist dabei."],
    ],
    [
      "de",
      "Siehe z. B. Abschnitt vier. Dort steht alles.",
      ["Siehe z. B. Abschnitt vier.", "Dort steht alles."],
    ],
    [
      "zh",
      "您可以在三十天内退货。我们会在五个工作日内退款。",
      ["您可以在三十天内退货。", "我们会在五个工作日内退款。"],
    ],
    ["en", "You need:\n- a passport\n- a photo", ["You need:", "- a passport", "- a photo"]],
    ["en", "\n\n  First line here  \n\n\n Second line here \n", ["First line here", "Second line here"]],
    [
      "not a language!",
      "One sentence here. Another one there.",
      ["One sentence here.", "Another one there."],
    ],
    ["en", " \n ", []],
  ])("in %s of %j", (language, text, expected) => {
    expect(textsOf(text, language)).toEqual(expected);
  });

  test("of a text without stops are cut, so that none is endless", () => {
    expect(Math.max(...textsOf("x".repeat(10_000), "en").map(({ length }) => length))).toBeLessThanOrEqual(
      1200,
    );
  });

  test("stand in order, overlap nowhere and hold all that is no blank", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.constantFrom("en", "th", "zh", "de"),
        (text, language) => {
          expect(textsOf(text, language).join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
        },
      ),
    );
  });
});
