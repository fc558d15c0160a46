import { describe, expect, test } from "bun:test";

import { readChoice } from "../../../src/social/read-choice.ts";
import { LANGUAGES } from "../../../src/text/languages.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";

const LABELS = ["Refunds", "Invoices", "Cancel a subscription"];

/** The places chosen, "none", or nothing. */
function chosen(text: string, labels: readonly string[], language?: string, noneLabel?: string) {
  const choice = readChoice(text, { labels, language, noneLabel });
  return choice?.kind === "some" ? choice.indexes : choice?.kind;
}

test.each([
  ["the first", [0]],
  ["1", [0]],
  ["1.", [0]],
  ["2)", [1]],
  ["1️⃣", [0]],
  ["option 2", [1]],
  ["the second one please", [1]],
  ["third", [2]],
  ["the last one", [2]],
  ["all three", [0, 1, 2]],
  ["1 and 3", [0, 2]],
  ["no, the second", [1]],
  ["Refunds", [0]],
  ["refund", [0]],
  ["refudns please", [0]],
  ["I mean the invoice", [1]],
  ["cancel subscription", [2]],
  ["refunds and invoices", [0, 1]],
  ["none of these", "none"],
  ["neither", "none"],
  ["something else", "none"],
  ["no thanks", "none"],
  ["👎", "none"],
  ["yes", undefined],
  ["both", undefined],
  ["7", undefined],
  ["not the first", undefined],
  ["where is my invoice", undefined],
  ["refund for my invoice", undefined],
  ["how do I cancel", undefined],
  ["", undefined],
] as const)("of three: %s", (text, expected) => {
  expect(chosen(text, LABELS, "en")).toEqual(expected as never);
});

describe("of two", () => {
  test.each([
    ["de", "das erste", [0]],
    ["de", "die zweite Option bitte", [1]],
    ["de", "beide", [0, 1]],
    ["de", "keine davon", "none"],
    ["de", "nein, das zweite", [1]],
    ["de", "den letzten", [1]],
    ["fr", "la deuxième", [1]],
    ["fr", "les deux", [0, 1]],
    ["fr", "ni l'un ni l'autre", "none"],
    ["es", "el primero", [0]],
    ["es", "no el primero", undefined],
    ["es", "las dos", [0, 1]],
    ["es", "ninguna", "none"],
    ["it", "il secondo", [1]],
    ["it", "tutti e due", [0, 1]],
    ["it", "nessuno dei due", "none"],
    ["nl", "de tweede graag", [1]],
    ["nl", "allebei", [0, 1]],
    ["nl", "geen van beide", "none"],
    ["pt", "a segunda", [1]],
    ["pt", "os dois", [0, 1]],
    ["pt", "nenhuma das opções", "none"],
    ["en", "both of them", [0, 1]],
    ["fr", "the second one", [1]],
  ] as const)("in %s: %s", (language, text, expected) => {
    expect(chosen(text, ["Foo", "Bar"], language)).toEqual(expected as never);
  });
});

test("one that is offered is taken by a yes and refused by a no", () => {
  expect(chosen("ja genau", ["Termin"], "de")).toEqual([0]);
  expect(chosen("👍", ["Termin"], "de")).toEqual([0]);
  expect(chosen("nein", ["Termin"], "de")).toBe("none");
});

test("a word that labels share chooses none of them, one that only one has does", () => {
  const labels = ["einen Termin vereinbaren", "einen Termin absagen oder verschieben"];
  expect(chosen("Termin", labels, "de")).toBeUndefined();
  expect(chosen("Termin absagen", labels, "de")).toEqual([1]);
  expect(chosen("verschieben bitte", labels, "de")).toEqual([1]);
});

test("the button that refuses all is understood in any language", () => {
  expect(chosen("以上都不是", LABELS, "zh", "以上都不是")).toBe("none");
});

test.each(LANGUAGES)("no request in %s is a choice", (language) => {
  const labels = ["Lorem ipsum", "Dolor sit", "Amet elit"];
  const requests = generalRequestsIn(language).filter((text) => chosen(text, labels, language) !== undefined);
  expect(requests).toEqual([]);
});
