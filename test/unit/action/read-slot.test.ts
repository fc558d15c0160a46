import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { isValue, readSlot } from "../../../src/action/slots/read-slot.ts";
import { readYesOrNo, saysNeverMind } from "../../../src/action/slots/read-yes-or-no.ts";
import type { Slot, SlotType } from "../../../src/domain/action.ts";

/** A Monday. */
const NOW = Date.UTC(2026, 10, 23, 12);

function read(text: string, slot: Omit<Slot, "name">, language = "en", isAsked = true): string[] {
  const context = { language, timeZone: "Europe/Berlin", now: NOW, isAsked };
  return readSlot(text, { name: "slot", ...slot }, context).map(({ value }) => value);
}

const SIZES: Omit<Slot, "name"> = {
  type: "choice",
  choices: [
    { value: "s", label: "Small" },
    { value: "l", label: "Large", synonyms: ["big"] },
  ],
};

describe("a slot", () => {
  test.each<[text: string, slot: SlotType, language: string, value: string]>([
    ["ann@example.org please", "email", "en", "ann@example.org"],
    ["it's Ann@Example.org, thanks", "email", "en", "Ann@Example.org"],
    ["030 901820", "phone", "de", "+4930901820"],
    ["+49 30 901820", "phone", "en", "+4930901820"],
    ["tomorrow", "date", "en", "2026-11-24"],
    ["morgen", "date", "de", "2026-11-24"],
    ["am 3. März", "date", "de", "2027-03-03"],
    ["le 3 mars", "date", "fr", "2027-03-03"],
    ["2027-03-03", "date", "pl", "2027-03-03"],
    ["3.4.2027", "date", "tr", "2027-04-03"],
    ["3/4", "date", "en-GB", "2027-04-03"],
    ["3/4", "date", "en-US", "2027-03-04"],
    ["13/4/2027", "date", "en-US", "2027-04-13"],
    ["2027年3月3日", "date", "ja", "2027-03-03"],
    ["half past three", "time", "en", "03:30"],
    ["halb vier", "time", "de", "03:30"],
    ["half vier", "time", "nl", "03:30"],
    ["3pm", "time", "en", "15:00"],
    ["15 Uhr", "time", "de", "15:00"],
    ["15h30", "time", "fr", "15:30"],
    ["12 am", "time", "en", "00:00"],
    ["1.234,50", "number", "de", "1234.5"],
    ["1,234.50", "number", "en", "1234.5"],
    ["two of us", "integer", "en", "2"],
    ["9,007,199,254,740,991", "integer", "en", "9007199254740991"],
    ["12,50 €", "money", "de", "12.50 EUR"],
    ["$12.5", "money", "en", "12.50 USD"],
    ["ja bitte", "yesno", "de", "true"],
    ["nie", "yesno", "pl", "false"],
    ["はい", "yesno", "ja", "true"],
  ])("reads %j as a %s (%s)", (text, type, language, value) => {
    expect(read(text, { type }, language)).toEqual([value]);
  });

  test.each<[text: string, slot: SlotType]>([
    ["31/2/2027", "date"],
    ["when I moved", "date"],
    ["ann at example dot org", "email"],
    ["12345", "phone"],
    ["one thing, or two", "phone"],
    ["perhaps", "yesno"],
    ["1,2,3", "number"],
    ["2.5", "integer"],
    ["900,719,925,474,099,301", "integer"],
    ["-900,719,925,474,099,301", "integer"],
    ["12345678901234567890", "number"],
    ["0.1234567890123456789", "number"],
    ["0.00000012", "number"],
    ["25:70", "time"],
  ])("does not read %j as a %s", (text, type) => {
    expect(read(text, { type })).toEqual([]);
  });

  test.each([
    ["en", "2027-04-03", "ask"],
    ["en-GB", "2027-04-03", "tell"],
    ["en-US", "2027-03-04", "tell"],
    ["fr", "2027-04-03", "tell"],
  ] as const)("says of a day in figures that it may be another one (%s)", (language, value, doubt) => {
    const context = { language, timeZone: "UTC", now: NOW, isAsked: true };
    const slot: Slot = { name: "day", type: "date" };
    expect(readSlot("3/4/2027", slot, context)).toEqual([{ value, doubt }]);
    expect(readSlot("4/4/2027", slot, context)).toEqual([{ value: "2027-04-04" }]);
    expect(readSlot("13/4/2027", slot, context)).toEqual([{ value: "2027-04-13" }]);
  });

  test("knows which day it is where the bot is", () => {
    const slot: Slot = { name: "day", type: "date" };
    const context = { language: "en", now: Date.UTC(2026, 10, 23, 23, 30), isAsked: true };
    expect(readSlot("tomorrow", slot, { ...context, timeZone: "Asia/Tokyo" })[0]?.value).toBe("2026-11-25");
    expect(readSlot("tomorrow", slot, { ...context, timeZone: "America/Denver" })[0]?.value).toBe(
      "2026-11-24",
    );
  });

  test("takes numbers of its pattern out of a message, however they are written", () => {
    const slot = { type: "text", pattern: "[0-9]{5}" } as const;
    expect(read("where is my order #48213?", slot, "en", false)).toEqual(["48213"]);
    expect(read("482 13", slot)).toEqual(["48213"]);
    expect(read("48213 or 48214", slot)).toEqual(["48213", "48214"]);
    expect(read("order 482135", slot)).toEqual([]);
  });

  test("takes a reply whole, and of other messages only what has a digit", () => {
    const slot = { type: "text", pattern: "[\\p{L} ]{2,40}" } as const;
    expect(read("Ann Lee", slot)).toEqual(["Ann Lee"]);
    expect(read("where is my parcel", slot, "en", false)).toEqual([]);
  });

  test("is chosen by label, other words, or place", () => {
    expect(read("the second", SIZES)).toEqual(["l"]);
    expect(read("a big one", SIZES, "en", false)).toEqual(["l"]);
    expect(read("small or large", SIZES)).toEqual(["s", "l"]);
  });

  test("takes no number by itself where none was asked for", () => {
    expect(read("yes", { type: "yesno" }, "en", false)).toEqual([]);
    expect(read("at 3", { type: "time" }, "en", false)).toEqual([]);
    expect(read("3/4", { type: "date" }, "en", false)).toEqual([]);
  });

  test("holds nothing that could end a line of a request, and is never longer than 200 characters", () => {
    expect(isValue("a\r\nX: b", { name: "slot", type: "text", pattern: "[^]+" })).toBe(false);
    expect(isValue("1".repeat(201), { name: "slot", type: "text", pattern: "[0-9]+" })).toBe(false);
  });

  test("is read from any text without failing, and each value is one of it", () => {
    const types: SlotType[] = [
      "text",
      "integer",
      "number",
      "money",
      "date",
      "time",
      "email",
      "phone",
      "yesno",
    ];
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), fc.constantFrom(...types), (text, type) => {
        const slot: Slot = { name: "slot", type, ...(type === "text" && { pattern: ".{1,20}" }) };
        const context = { language: "de", timeZone: "Europe/Berlin", now: NOW, isAsked: true };
        return readSlot(text, slot, context).every(({ value }) => isValue(value, slot));
      }),
    );
  });
});

describe("a yes or no", () => {
  test.each<[text: string, language: string, says: "yes" | "no" | undefined]>([
    ["yes please", "en", "yes"],
    ["no, thanks", "en", "no"],
    ["jawohl", "de", "yes"],
    ["sí", "es", "yes"],
    ["oui", "fr", "yes"],
    ["certo", "it", "yes"],
    ["nee", "nl", "no"],
    ["não", "pt", "no"],
    ["evet", "tr", "yes"],
    ["نعم", "ar", "yes"],
    ["好的", "zh", "yes"],
    ["cancel my other order", "en", undefined],
    ["yes, and where is my invoice", "en", undefined],
    ["sure, great", "en", "yes"],
    ["yes please, go ahead", "en", "yes"],
    ["oui, s'il vous plaît, très bien", "fr", "yes"],
    ["ja bitte, perfekt", "de", "yes"],
    ["yes 👍", "en", "yes"],
  ])("%j (%s) says %s", (text, language, says) => {
    expect(readYesOrNo(text, language)).toBe(says as never);
  });

  test.each([
    ["yes wait", "en"],
    ["wait yes", "en"],
    ["yes hold on", "en"],
    ["yes let me think", "en"],
    ["yes, but not now", "en"],
    ["yes but", "en"],
    ["yes maybe", "en"],
    ["yes I guess", "en"],
    ["why not", "en"],
    ["ja warte", "de"],
    ["ja moment", "de"],
    ["ja vielleicht", "de"],
    ["oui attendez", "fr"],
    ["si espera", "es"],
    ["sì aspetta", "it"],
    ["ja wacht even", "nl"],
    ["sim espera", "pt"],
    ["yes?", "en"],
    ["ja wirklich?", "de"],
    ["ok sure?", "en"],
    ["tak?", "pl"],
    ["はい？", "ja"],
    ["نعم؟", "ar"],
  ])("%j (%s) says no plain yes", (text, language) => {
    expect(readYesOrNo(text, language)).not.toBe("yes");
  });

  test.each(["never mind", "Vergiss es!", "laisse tomber", "laat maar", "算了", "boş ver"])(
    "%j ends an asking",
    (text) => {
      expect(saysNeverMind(text)).toBe(true);
      expect(saysNeverMind(`${text} 48213`)).toBe(false);
    },
  );
});
