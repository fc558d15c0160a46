import { describe, expect, test } from "bun:test";

import { embedConfigOf } from "../../../src/bots/embed-config.ts";
import { TEXT_LANGUAGES } from "../../../src/domain/texts.ts";
import { shopBot, type WrittenFields } from "../../support/bots.ts";

const ADDRESSES = { publicUrl: "https://chat.example", cdnUrl: "https://chat.example/cdn" };

const hoursShown = (timezone: string) => {
  const hours = { timezone, open: ["Mo-Fr 09:00-17:00"] };
  return embedConfigOf(shopBot({ handoff: { fields: ["phone"], hours } }), ADDRESSES).handoff;
};

const welcomeOf = (fields: WrittenFields, language?: string) =>
  embedConfigOf(shopBot({ name: "Notiz Laden", ...fields }), ADDRESSES, language).welcomeMessage;

const GERMAN = "Guten Tag! Ich bin Notiz Laden. Wie kann ich Ihnen helfen?";

describe("the greeting of a bot that has none", () => {
  test.each<[string, WrittenFields, string]>([
    ["in English", {}, "Hi! I'm Notiz Laden. How can I help?"],
    ["in the language that it names", { language: "de-CH" }, GERMAN],
    [
      "in the language of its examples",
      {
        intents: [
          { name: "hours", examples: ["Wann haben Sie geöffnet?", "Ist der Laden am Samstag offen?"] },
        ],
      },
      GERMAN,
    ],
    ["in English where Parley has no words", { language: "fi" }, "Hi! I'm Notiz Laden. How can I help?"],
    [
      "nowhere where its language is worded",
      { language: "de", texts: { de: { welcomeMessage: "Moin" } } },
      "Moin",
    ],
  ])("is %s", (_, fields, welcome) => {
    expect(welcomeOf(fields)).toBe(welcome);
  });

  test("is in a language that the file words, for visitors of that language", () => {
    const fields: WrittenFields = { language: "de", texts: { fr: { tagline: "Tout de suite" } } };
    expect(welcomeOf(fields, "fr")).toBe("Bonjour ! Je suis Notiz Laden. Comment puis-je vous aider ?");
    expect(welcomeOf(fields)).toBe(GERMAN);
    expect(welcomeOf({ ...fields, welcomeMessage: "Moin" }, "fr")).toBe("Moin");
  });

  test.each([...TEXT_LANGUAGES])("holds the name in %s", (language) => {
    expect(welcomeOf({ language })).toContain("Notiz Laden");
  });
});

describe("what the widget shows of a bot", () => {
  test("has the hours at which somebody is there", () => {
    expect(hoursShown("Europe/Berlin")?.hours).toEqual({
      timezone: "Europe/Berlin",
      open: ["Mo-Fr 09:00-17:00"],
    });
  });

  test("has its days as widgets know them, whatever language the file names them in", () => {
    const hours = { timezone: "Europe/Berlin", open: ["Di-Do 09:00-17:00", "Samstag 10:00-12:00"] };
    const { handoff } = embedConfigOf(shopBot({ language: "de", handoff: { hours } }), ADDRESSES);
    expect(handoff?.hours?.open).toEqual(["Tu-Th 09:00-17:00", "Sa 10:00-12:00"]);
  });

  test("leaves out hours of no time zone that an earlier version stored, and offers the form still", () => {
    expect(hoursShown("Berlin")).toEqual({
      offer: ["refused", "not_understood_twice", "cap", "asked"],
      fields: ["phone"],
      live: true,
    });
  });
});
