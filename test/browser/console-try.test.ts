import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout } from "bun:test";

import { exportBot } from "../../src/seed/export-bot.ts";
import { shopBot, type WrittenFields } from "../support/bots.ts";
import { type ConsolePage, openSignedIn } from "../support/console-page.ts";
import { HANG_MS } from "../support/eventually.ts";
import { test } from "../support/journey.ts";
import { holds, says, startModelServer, type TestModelServer } from "../support/model-server.ts";
import { signIn, type TestOperator } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

setDefaultTimeout(120_000);

const BY_MODEL: WrittenFields = { responder: { kind: "model" } };
const HELPED: WrittenFields = { ...BY_MODEL, classifier: { judge: { model: "local", band: 0.5 } } };

let model: TestModelServer;
let parley: TestParley;
let ann: TestOperator;
beforeAll(async () => {
  model = await startModelServer();
  const local = { baseUrl: model.baseUrl, model: "tiny", timeoutMs: HANG_MS };
  parley = await startParley({
    bots: [shopBot(BY_MODEL), shopBot({ id: "edited", ...BY_MODEL }), shopBot({ id: "helped", ...HELPED })],
    flags: { models: JSON.stringify({ local }) },
  });
  ann = await signIn(parley, "ann");
  const draft = exportBot(shopBot({ id: "edited", ...BY_MODEL, name: "Edited" }));
  await ann.json("PUT", "/bots/edited/draft", { yaml: draft, baseVersion: 1 });
});
beforeEach(() => model.replyWith(says("The model says so.")));
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const opened = (path: string) => openSignedIn(parley.server.localOperatorUrl, ann, path);
const field = ({ page }: ConsolePage) => page.getByLabel("Your message");
const told = () => model.requests.map(({ body }) => body.messages.slice(1).map(({ content }) => content));

/** Types one text after another, each until it is judged. */
async function typeSlowly(open: ConsolePage, texts: readonly string[], verdict = "A model would answer") {
  for (const text of texts) {
    await field(open).fill(text);
    await open.page.locator(".receipt .quote", { hasText: text }).first().waitFor();
    await open.page.locator(".receipt .verdict", { hasText: verdict }).first().waitFor();
  }
}

/** Sends a message, and waits for the answer. */
async function send(open: ConsolePage, text: string) {
  await field(open).fill(text);
  await field(open).press("Enter");
  const turn = open.page.locator(".turn").last();
  await turn.locator(".said", { hasText: text }).waitFor();
  await turn.locator(".replied, .twin", { hasText: "The model says so." }).waitFor();
}

describe("trying a bot that a model answers for", () => {
  test("judges what is typed without it, and asks it for each message that is sent, once", async () => {
    await using open = await opened("/try/shop");
    await typeSlowly(open, ["where is my", "where is my order"]);
    expect(model.requests).toEqual([]);
    await send(open, "where is my order");
    await typeSlowly(open, ["track my parcel", "track my parcel please"]);
    await typeSlowly(open, ["delete my account"], "Would be refused");
    await send(open, "track my parcel please");
    expect(told()).toEqual([
      ["where is my order"],
      ["where is my order", "The model says so.", "track my parcel please"],
    ]);
    expect(open.troubles).toEqual([]);
  });

  test("shows what a visitor could choose, and sends it", async () => {
    await using open = await opened("/try/shop");
    await field(open).fill("quantum chromodynamics");
    await field(open).press("Enter");
    const choices = open.page.getByRole("list", { name: "Choices shown to the visitor" });
    await choices.getByRole("button", { name: "the state of an order" }).click();
    await open.page.locator(".replied", { hasText: "The model says so." }).waitFor();
    expect(told()).toEqual([["where is my order"]]);
    expect(await choices.getByRole("button").count()).toBe(0);
    expect(open.troubles).toEqual([]);
  });

  test("asks it once for each version, and keeps the chat of each", async () => {
    await using open = await opened("/try/edited?version=both");
    await typeSlowly(open, ["where is my order"]);
    await send(open, "where is my order");
    await typeSlowly(open, ["track my parcel please"]);
    await send(open, "track my parcel please");
    const second = ["where is my order", "The model says so.", "track my parcel please"];
    expect(told()).toEqual([["where is my order"], ["where is my order"], second, second]);
    expect(open.troubles).toEqual([]);
  });

  test("says so where a model might decide otherwise", async () => {
    await using open = await opened("/try/helped");
    await typeSlowly(open, ["where is my order"]);
    await open.page.getByText("a model is asked about the intent too").waitFor();
    expect(model.requests).toEqual([]);
  });

  test.each<[string, (open: ConsolePage) => Promise<unknown>]>([
    ["the chat is started over", ({ page }) => page.getByRole("button", { name: "Start over" }).click()],
    ["the page is left", ({ page }) => page.getByRole("link", { name: "Overview" }).first().click()],
    ["another bot is chosen", ({ page }) => page.getByLabel("Bot", { exact: true }).selectOption("helped")],
  ])("is not waited for once %s", async (_when, leave) => {
    const { reply, isAsked, isLeft } = holds();
    model.replyWith(reply);
    await using open = await opened("/try/shop");
    await field(open).fill("where is my order");
    await field(open).press("Enter");
    await isAsked;
    await leave(open);
    await isLeft;
    expect(await open.page.locator(".turn").count()).toBe(0);
    expect(open.troubles).toEqual([]);
  });
});

test("a message about what was done covers neither the field nor Send", async () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 780 },
  ]) {
    await using open = await opened("/bots/shop/basics");
    const { page } = open;
    await page.setViewportSize(viewport);
    await page.getByLabel("Name", { exact: true }).fill("Renamed");
    await page.getByRole("link", { name: /Show the changes/ }).click();
    await page.getByRole("button", { name: "Discard the draft" }).click();
    await page.locator(".toast", { hasText: "The draft is discarded." }).waitFor();
    await page.getByRole("link", { name: "Try it", exact: true }).last().click();
    await field(open).fill("where is my order");
    const toast = (await page.locator(".toast").boundingBox())!;
    const foot = (await page.locator(".chat-foot").boundingBox())!;
    expect(toast.y + toast.height).toBeLessThanOrEqual(foot.y);
    expect(open.troubles).toEqual([]);
  }
});
