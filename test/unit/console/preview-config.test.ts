import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { parse } from "yaml";

import { embedConfigOf } from "../../../src/bots/embed-config.ts";
import { previewConfig, type View } from "../../../src/console/pages/bots/preview-config.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import { checkYaml } from "../../../src/operate/check/check-yaml.ts";
import { exportBot } from "../../../src/seed/export-bot.ts";
import { shopBot } from "../../support/bots.ts";

const URL = "https://chat.example";
const ADDRESSES = { publicUrl: URL, cdnUrl: `${URL}/cdn` };

const ACME = parse(
  await Bun.file(join(import.meta.dir, "../../../data/acme-support.yaml")).text(),
) as BotDocument;
const KIOSK = shopBot({
  theme: { colorScheme: "dark", primaryColor: "#102030" },
  template: { id: "kiosk", bundleUrl: "templates/kiosk.js" },
  suggestedQuestions: [
    { text: "second", order: 2 },
    { id: "own", text: "first", order: 1 },
  ],
  poweredByRequired: false,
});
const CLINIC = shopBot({
  avatarUrl: "https://clinic.example/face.png",
  tagline: "{botName}, day and night",
  legal: "{botName} is a machine.",
  launcher: { label: "Ask us", icon: "avatar" },
  theme: { fontFamily: "Georgia, serif", offsetX: 40, offsetY: 60, density: "compact" },
  handoff: {
    fields: ["phone"],
    live: false,
    hours: { timezone: "Europe/Berlin", open: ["Mo-Fr 09:00-17:00"] },
  },
});

/** As an earlier version may have stored it. */
const NOWHERE = shopBot({ handoff: { hours: { timezone: "Berlin", open: ["Mo-Fr 09:00-17:00"] } } });

const GERMAN = shopBot({ language: "de-AT" });
const GERMAN_BY_EXAMPLES = shopBot({
  intents: [{ name: "hours", examples: ["Wann haben Sie geöffnet?", "Ist der Laden am Samstag offen?"] }],
});

const PREVIEWED = { publicUrl: URL, view: "light", defaultWelcome: "" } as const;

/** As the server checks what is edited. */
function previewOf(bot: BotDocument, view: View) {
  const { defaultWelcome = "" } = checkYaml({ yaml: exportBot(bot) });
  return previewConfig(bot, { publicUrl: URL, view, defaultWelcome });
}

describe("the configuration that the theme page gives the widget", () => {
  test.each([ACME, shopBot(), KIOSK, CLINIC, NOWHERE, GERMAN, GERMAN_BY_EXAMPLES])(
    "is what GET /embed-config would say of %#",
    (bot) => {
      const config = embedConfigOf(bot, ADDRESSES);
      const scheme = bot.theme?.colorScheme === "dark" ? "dark" : "light";
      expect(previewOf(bot, "light")).toEqual({
        ...config,
        theme: { ...bot.theme, colorScheme: scheme },
      });
    },
  );

  test("shows the scheme that is looked at where the bot leaves it to the visitor's system", () => {
    expect(previewOf(shopBot(), "dark").theme?.colorScheme).toBe("dark");
    expect(previewOf(KIOSK, "light").theme?.colorScheme).toBe("dark");
  });

  test("makes do with a hand-off and a template that are being typed", () => {
    const bot = {
      ...CLINIC,
      handoff: { offer: true, fields: 7, hours: null },
      template: { id: "kiosk", bundleUrl: "https://" },
    };
    const config = previewConfig(bot, PREVIEWED);
    expect(config.handoff).toEqual(embedConfigOf({ ...CLINIC, handoff: {} }, ADDRESSES).handoff);
    const handoff = { hours: { open: "Mo" } };
    expect(previewConfig({ ...CLINIC, handoff }, PREVIEWED).handoff).toEqual(config.handoff);
    expect(config).not.toHaveProperty("template");
  });

  test("makes do with a text that is no bot", () => {
    expect(previewConfig({ name: 7, suggestedQuestions: "x" }, PREVIEWED)).toMatchObject({
      botName: "",
      suggestedQuestions: [],
    });
  });
});
