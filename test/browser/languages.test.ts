import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

import { widgetSnippet } from "../../src/widget/snippet.ts";
import { shopBot } from "../support/bots.ts";
import { embed, type EmbeddedPage } from "../support/browser.ts";
import { type TestParley, startParley } from "../support/parley.ts";

setDefaultTimeout(120_000);

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({
    bots: [
      shopBot({
        name: "Acme",
        welcomeMessage: "Hello!",
        tagline: "At once",
        launcher: { label: "Ask us" },
        suggestedQuestions: [{ id: "order", text: "Where is my order?" }],
        texts: {
          de: {
            welcomeMessage: "Hallo, hier ist {botName}!",
            tagline: "Sofort",
            legal: "Es antwortet ein Programm.",
            "launcher.label": "Fragen Sie uns",
            suggestedQuestions: { order: "Wo ist meine Bestellung?" },
          },
          ar: { welcomeMessage: "مرحبا، كيف أساعدك؟", suggestedQuestions: { order: "أين طلبي؟" } },
        },
      }),
    ],
  });
});
afterAll(() => parley[Symbol.asyncDispose]());

const openPage = (options = {}) =>
  embed({ serviceUrl: parley.url, botId: "shop", embedToken: parley.token, ...options });

/** What the visitor sees before the first message. */
async function shown(shop: EmbeddedPage): Promise<string[]> {
  await shop.open();
  return shop.panel.locator(".names p, .greeting, .legal, .welcome li").allInnerTexts();
}

describe("a bot that is worded in several languages", () => {
  test("speaks that of its page", async () => {
    await using shop = await openPage({ root: 'lang="de-AT"' });
    await shop.launcher.getByText("Fragen Sie uns").waitFor();
    expect(await shown(shop)).toEqual([
      "Sofort",
      "Hallo, hier ist Acme!",
      "Es antwortet ein Programm.",
      "Wo ist meine Bestellung?",
    ]);
    await look(shop, "german");
  });

  test("speaks that of data-locale rather than that of its page", async () => {
    await using shop = await openPage({ root: 'lang="de"', attributes: 'data-locale="ar"' });
    const texts = await shown(shop);
    expect(texts).toContain("مرحبا، كيف أساعدك؟");
    // What it is not worded in is in its own language.
    expect(texts).toContain("At once");
    expect((await shop.panel.boundingBox())!.x).toBe(20);
    await look(shop, "arabic");
  });

  test.each(['lang="sv"', 'lang="x-klingon"', 'lang="de&amp;botId=nobody#"', ""])(
    "shows itself in a page of %p",
    async (root) => {
      await using shop = await openPage({ root, context: { locale: "nl-NL" } });
      expect((await shown(shop)).join()).toMatch(root.includes("de&") ? /Hallo|Hello/ : /Hello!/);
    },
  );

  test.each([
    [undefined, "Hello!"],
    ["de", "Hallo, hier ist Acme!"],
  ])("is asked for once where it is preloaded in %p", async (locale, welcome) => {
    const snippet = widgetSnippet({
      cdnUrl: `${parley.url}/cdn`,
      publicUrl: parley.url,
      botId: "shop",
      embedToken: parley.token,
      preload: true,
      ...(locale && { locale }),
    });
    const asked: string[] = [];
    await using shop = await openPage({
      head: snippet.split("\n")[0],
      attributes: `crossorigin="anonymous" ${locale ? `data-locale="${locale}"` : ""}`,
      prepare: async (page: EmbeddedPage["page"]) => {
        page.on("request", (request) => {
          if (request.url().includes("/embed-config")) asked.push(request.url());
        });
      },
    });
    expect(await shown(shop)).toContain(welcome);
    expect(asked).toEqual([`${parley.url}/embed-config?botId=shop&locale=${locale ?? ""}`]);
  });
});

/** Keeps a picture where `PICTURES` names a folder. */
async function look({ page }: EmbeddedPage, name: string): Promise<void> {
  const folder = process.env["PICTURES"];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
