import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";

import type { Page } from "playwright-core";

import { embed } from "../support/browser.ts";
import { type ConsolePage, openConsole } from "../support/console-page.ts";
import { eventually } from "../support/eventually.ts";
import { journey } from "../support/journey.ts";
import { linkSecretOf } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

setDefaultTimeout(240_000);

const BOT = "shop";
const WRAPS = ["do you gift wrap presents", "can you gift wrap presents", "please gift wrap the presents"];
const ANSWER = "We wrap it **for free**.";
/** A machine that is busy with other tests takes its time to cross-validate. */
const PREVIEW = { timeout: 120_000 };

let parley: TestParley;
let view: ConsolePage;

beforeAll(async () => {
  parley = await startParley();
  await parley.store.operators.add({ name: "ann", role: "owner" });
  for (const input of WRAPS) await parley.say(input);
  const secret = await linkSecretOf(parley, "ann");
  view = await openConsole(parley.server.localOperatorUrl, `/sign-in#link=${secret}`);
});
afterAll(async () => {
  await view[Symbol.asyncDispose]();
  await parley[Symbol.asyncDispose]();
});

/** Messages of the month, as the bot's record counts them. */
async function messagesOf(page: Page): Promise<unknown> {
  const { items } = await page.evaluate(
    async () => (await (await fetch("/api/v1/bots")).json()) as { items: { messages: number }[] },
  );
  return items[0]?.messages;
}

describe("a new operator", () => {
  journey("signs in by a link and finds what was not understood", async () => {
    const { page } = view;
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByRole("link", { name: "Improve" }).first().click();
    await page
      .getByRole("link", { name: /gift wrap/ })
      .first()
      .click();
    await page.getByRole("heading", { name: /gift wrap/ }).waitFor();
  });

  journey("teaches the bot and sees what would change before anything is published", async () => {
    const { page } = view;
    await page.getByRole("radio", { name: "A new intent" }).check();
    await page.getByLabel("Name", { exact: true }).fill("orders.gift_wrap");
    await page.getByLabel("Label in “Did you mean”").fill("gift wrapping");
    await page.getByLabel("Answer (Markdown)").fill(ANSWER);
    await page.getByText("Answered by this draft only").waitFor(PREVIEW);
    expect(await page.getByText("No message that is refused now would be answered.").isVisible()).toBe(true);
    expect((await parley.say(WRAPS[0]!)).response).not.toContain("We wrap it");
  });

  journey("publishes it, and the widget answers with it", async () => {
    const { page } = view;
    await page.getByText("Live within a second").waitFor(PREVIEW);
    await page.keyboard.press("Control+Enter");
    await page.getByText(/Version 2 is live/).waitFor();
    await eventually(async () => expect((await parley.say(WRAPS[0]!)).response).toContain("We wrap it"));
    await using site = await embed({ serviceUrl: parley.url, botId: BOT, embedToken: parley.token });
    await site.open();
    await site.say(WRAPS[0]!);
    await site.log.getByText("We wrap it").waitFor();
  });

  journey("takes it back by one click, and keeps the work as a draft", async () => {
    const { page } = view;
    await page.getByRole("button", { name: /Undo/ }).click();
    await page.getByText(/Undone: version 3/).waitFor();
    await eventually(async () => expect((await parley.say(WRAPS[0]!)).response).not.toContain("We wrap it"));
    await view.open(`/bots/${BOT}/versions`);
    await page.getByText("draft 4").waitFor();
    await page.getByText("orders.gift_wrap").first().waitFor();
  });

  journey(
    "sees the widget with the draft's theme, which talks as the draft does and stores nothing",
    async () => {
      const { page } = view;
      await view.open(`/bots/${BOT}/theme`);
      const before = await messagesOf(page);
      const input = page.frameLocator("iframe").locator("parley-chat textarea");
      // Firefox lets no script put the focus into a frame of another origin.
      await input.click();
      await input.fill(WRAPS[1]!);
      await input.press("Enter");
      await page.frameLocator("iframe").getByText("We wrap it").waitFor();
      await page.getByText("Right to left").click();
      await page.frameLocator("iframe").locator("html[dir=rtl] parley-chat textarea").waitFor();
      expect(await messagesOf(page)).toBe(before);
    },
  );

  journey("meets no error on the way", () => {
    expect(view.troubles).toEqual([]);
  });
});
