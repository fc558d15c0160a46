import { afterAll, beforeAll, expect, setDefaultTimeout } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { shopBot } from "../support/bots.ts";
import { embed } from "../support/browser.ts";
import {
  emptyFolder,
  runExecutable,
  serveExecutable,
  type ServingExecutable,
} from "../support/executable.ts";
import { journey, test } from "../support/journey.ts";

setDefaultTimeout(120_000);

/** The compiled executable alone in a folder, with bots of every standing; the widget talks to nothing else. */
let folder: string;
let parley: ServingExecutable;
const embedTokens = new Map<string, string>();

const BOTS = [
  shopBot({
    welcomeMessage: "Hello, I'm {botName}.",
    theme: { primaryColor: "#0b6e4f" },
    suggestedQuestions: [{ text: "Where is my order?" }],
  }),
  shopBot({
    id: "cards",
    suggestedQuestionsStyle: "message_box",
    suggestedQuestions: [{ text: "Where is my order?" }],
  }),
  shopBot({ id: "kiosk", template: { id: "kiosk", bundleUrl: "templates/kiosk.js" } }),
  shopBot({ id: "hurried", rateLimit: { capacity: 1, perMinute: 20 } }),
  shopBot({ id: "capped", monthlyMessageCap: 1 }),
  shopBot({ id: "elsewhere", allowedDomains: ["example.com"] }),
  shopBot({ id: "off", enabled: false }),
];

beforeAll(async () => {
  folder = emptyFolder();
  for (const bot of BOTS) {
    await Bun.write(join(folder, "bots", `${bot.id}.json`), JSON.stringify(bot));
  }
  const seeded = await runExecutable(["seed", "bots"], { cwd: folder });
  expect([seeded.exitCode, seeded.stderr]).toEqual([0, seeded.stderr]);
  for (const { id } of BOTS) {
    // One for each: a token that holds several bots is as slow as the slowest of them.
    const issued = await runExecutable(["token", "create", "--json", "--bot", id], { cwd: folder });
    embedTokens.set(id, (JSON.parse(issued.stdout) as { token: string }).token);
  }
  parley = await serveExecutable(folder);
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const openPage = (botId: string, options = {}) =>
  embed({ serviceUrl: parley.url, botId, embedToken: embedTokens.get(botId)!, ...options });

journey("a visitor asks, is answered and refused, and comes back", async () => {
  await using shop = await openPage("shop");
  await shop.open();
  await shop.page.getByText("Hello, I'm Shop.").waitFor();
  expect(await shop.launcher.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe(
    "rgb(11, 110, 79)",
  );
  await shop.page.getByRole("button", { name: "Where is my order?" }).click();
  await shop.log.getByText("It is on its way.").waitFor();
  await shop.say("delete my account");
  await shop.page.locator(".restricted").getByText("That is not for a bot to do.").waitFor();
  await shop.reload();
  await shop.open();
  await shop.log.getByText("It is on its way.").waitFor();
  await shop.say("where is my order");
  await shop.log.getByText("Shop sent it yesterday.").waitFor();
  expect(shop.troubles).toEqual([]);
});

journey("questions as cards, and a template", async () => {
  await using cards = await openPage("cards");
  await cards.open();
  await cards.page.locator(".message_box").getByRole("button", { name: "Where is my order?" }).waitFor();
  await using kiosk = await openPage("kiosk");
  await kiosk.launcher.click();
  await kiosk.page.locator(".kiosk").waitFor();
  expect([...cards.troubles, ...kiosk.troubles]).toEqual([]);
});

test("too many messages: the wait that the server names, and then the answer, by itself", async () => {
  await using shop = await openPage("hurried");
  await shop.open();
  await shop.say("where is my order");
  await shop.log.getByText("It is on its way.").waitFor();
  await shop.say("where is my order now");
  await shop.page
    .locator(".countdown")
    .getByText(/This will be sent in \d sec\./)
    .waitFor();
  await shop.log.getByText("Shop sent it yesterday.").waitFor();
});

test("the cap: a notice with the first of the next month", async () => {
  await using shop = await openPage("capped");
  await shop.open();
  await shop.say("where is my order");
  await shop.log.getByText("It is on its way.").waitFor();
  await shop.say("and now?");
  await shop.page.locator(".cap").getByText("back on").waitFor();
  expect(await shop.page.locator(".cap").textContent()).toMatch(/It is back on \w+ 1\.$/);
});

test("a domain that is not allowed: a calm sentence, and the request's id", async () => {
  await using shop = await openPage("elsewhere");
  await shop.open();
  await shop.say("where is my order");
  const alert = shop.page.getByRole("alert");
  await alert.getByText("This chat is not available here at the moment.").waitFor();
  expect(await alert.textContent()).toMatch(/Reference: rq_\w+/);
});

test("a token that is not known: the same sentence", async () => {
  await using shop = await openPage("shop", { embedToken: "parley_et_nonsense" });
  await shop.open();
  await shop.say("where is my order");
  await shop.page.getByRole("alert").getByText("This chat is not available here").waitFor();
});

test("a message that is too long comes back for editing, with the length that is possible", async () => {
  await using shop = await openPage("shop");
  await shop.open();
  await shop.say("long ".repeat(1000));
  const sentence = "This message is too long: 4,999 characters, and the limit is 4,000.";
  await shop.page.getByRole("alert").getByText(sentence).waitFor();
  expect((await shop.input.inputValue()).length).toBe(4999);
});

test("a disabled bot leaves nothing on the page", async () => {
  await using shop = await openPage("off");
  await shop.page.waitForFunction(() => window.Parley !== undefined);
  await shop.page.waitForFunction(() => document.querySelector("parley-chat") === null);
});

journey("a server that goes away and comes back: try again, and it is counted once", async () => {
  await using shop = await openPage("shop");
  await shop.open();
  await shop.page.route("**/chat", (route) => route.abort());
  await shop.say("where is my order");
  await shop.page.getByRole("alert").getByText("Not sent.").waitFor();
  await shop.page.unroute("**/chat");
  await shop.page.getByRole("button", { name: "Try again" }).click();
  await shop.log.getByText("It is on its way.").waitFor();
});

journey("runs under a strict policy with Trusted Types", async () => {
  const policy = `default-src 'none'; script-src ${parley.url}; connect-src ${parley.url}; img-src ${parley.url}; require-trusted-types-for 'script'`;
  await using shop = await openPage("shop", { headers: { "Content-Security-Policy": policy } });
  await shop.open();
  await shop.say("where is my order");
  await shop.log.getByText("It is on its way.").waitFor();
  expect(shop.troubles).toEqual([]);
});
