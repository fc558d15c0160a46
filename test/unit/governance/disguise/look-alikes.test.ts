import { describe, expect, test } from "bun:test";

import { withoutLookAlikes } from "../../../../src/governance/disguise/look-alikes.ts";
import { undisguisedReadings } from "../../../../src/governance/disguise/undisguise.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";

/** Look-alikes that were seen in use before the table was made from Unicode's data; the table may never know fewer. */
const IN_USE: Readonly<Record<string, string>> = {
  a: "аαɑɐᴀ🅰🅐🇦",
  b: "ьЬᏏβɓʙƄ🅱",
  c: "сɔᴄ",
  d: "ԁժđɖɗᴅ",
  e: "еєҽεҿǝəɛᴇ",
  f: "ϝꜰƒ",
  g: "ԍցɡɢ",
  h: "һհħɦʜɥ",
  i: "іιıɨɪᴉɩ",
  j: "јϳʝɉᴊ",
  k: "кκƙᴋʞ",
  l: "ӏłɭʟƚ",
  m: "мɱᴍɯ",
  n: "пηռոɲɳɴŋ",
  o: "оοօသဝ๐ഠøɵᴏ",
  p: "рρƥᴘ",
  q: "ԛգʠǫ",
  r: "гɼɽʀɹ",
  s: "ѕʂꜱ",
  t: "тτŧʈᴛʇ",
  u: "υսцʉᴜ",
  v: "ѵνʋᴠʌ",
  w: "ѡԝωաʍᴡ",
  x: "хχ",
  y: "уүγყʏʎ",
  z: "ƶᴢʐ🆉🅩🇿",
};

const folded = (word: string, around: "latin" | "other" = "latin"): string =>
  normaliseText(withoutLookAlikes(word, around));

describe("a look-alike is read as the Latin letter that it passes for", () => {
  test.each(Object.entries(IN_USE))("in a word with Latin letters: %s", (letter, lookAlikes) => {
    for (const lookAlike of lookAlikes) expect(folded(`x${lookAlike}z`)).toBe(`x${letter}z`);
  });

  test.each([
    ["Cherokee", "ᎠᎬᏞᎬᎢᎬ"],
    ["Lisu", "ꓓꓰꓡꓰꓔꓰ"],
    ["Coptic and Cyrillic", "ԁⲉӏеtе"],
    ["Arabic among Latin", "deاete"],
    ["Hebrew among Latin", "deוete"],
  ])("from an alphabet that nobody listed by hand: %s", (_, word) => {
    expect(folded(word)).toBe("delete");
  });
});

describe("honest words stay as they are", () => {
  const regionsIn = (language: string): string[] => {
    const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
    const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return letters.flatMap((first) => letters.flatMap((second) => names.of(first + second) ?? []));
  };

  test.each(["el", "ar", "he", "fa", "zh", "ja", "ko", "th", "hi", "tr", "pl", "vi", "da"])(
    "names of countries in %s, each alone",
    (language) => {
      const names = regionsIn(language);
      expect(names.length).toBeGreaterThan(200);
      // Brackets are digits and letters to leetspeak, whatever the language.
      for (const name of names.filter((each) => !/[(（]/.test(each))) {
        expect(undisguisedReadings(name, () => false)).toEqual([]);
      }
    },
  );

  test.each([
    ["ru", "Где находится"],
    ["uk", "Де знаходиться"],
    ["bg", "Къде се намира"],
  ])("names of countries in %s, within a question", (language, question) => {
    for (const name of regionsIn(language).filter((each) => !/[(（]/.test(each))) {
      expect(undisguisedReadings(`${question} ${name}?`, () => false)).toEqual([]);
    }
  });

  test.each(["2×M", "σος", "οσο", "ծով", "اه", "סוס", "٥٠", "๑๐", "2×3"])("%s", (word) => {
    expect(withoutLookAlikes(word, "latin")).toBe(word);
    expect(withoutLookAlikes(word, "other")).toBe(word);
  });
});
