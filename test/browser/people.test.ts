import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { AxeBuilder } from "@axe-core/playwright";

import type { StoredHandoff } from "../../src/store/interface/handoffs.ts";
import { shopBot } from "../support/bots.ts";
import { embed, type EmbeddedPage } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { journey, test } from "../support/journey.ts";
import { signIn, type TestOperator } from "../support/operators.ts";
import { issueToken, startParley, type TestParley } from "../support/parley.ts";
import { startServerProcess } from "../support/server-process.ts";
import { openTestStore } from "../support/store-under-test.ts";

setDefaultTimeout(120_000);

const [orders, account, jokes] = shopBot().intents!;
const BOTS = [
  shopBot({
    handoff: { fields: ["name", "email", "message"] },
    intents: [
      { ...orders!, next: ["account.delete", "Do you ship to Norway?", "orders.status"] },
      account!,
      jokes!,
    ],
  }),
  shopBot({
    id: "closed",
    // Open for a minute a week: it takes some luck to meet it.
    handoff: { fields: ["phone"], hours: { timezone: "Europe/Berlin", open: ["Mo 03:00-03:01"] } },
  }),
  shopBot({ id: "capped", monthlyMessageCap: 1, handoff: { fields: ["message"] } }),
  shopBot({ id: "notes", handoff: { live: false } }),
  shopBot({ id: "plain" }),
  shopBot({ id: "down", handoff: { offer: [], fields: ["message"] }, responder: { kind: "model" } }),
  ...["kiosk", "minimal"].map((id) =>
    shopBot({
      id,
      handoff: { fields: ["name", "email", "message"] },
      template: { id, bundleUrl: `templates/${id}.js` },
    }),
  ),
];
const ASK = "delete my account";

let parley: TestParley;
let ann: TestOperator;
beforeAll(async () => {
  // Nobody listens there.
  const models = JSON.stringify({ local: { baseUrl: "http://127.0.0.1:9/v1", model: "tiny" } });
  parley = await startParley({ bots: BOTS, flags: { models } });
  await signIn(parley, "owner");
  ann = await signIn(parley, "Ann", "editor");
});
afterAll(() => parley[Symbol.asyncDispose]());

const openPage = (options = {}) =>
  embed({ serviceUrl: parley.url, botId: "shop", embedToken: parley.token, ...options });

const button = ({ page }: EmbeddedPage, name: string) => page.getByRole("button", { name, exact: true });

/** Answers all requests to a path as a server would that is away. */
const breakPath = ({ page }: EmbeddedPage, path: string) => page.route(`**${path}`, (route) => route.abort());

async function violations({ page }: EmbeddedPage): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
}

async function askForPerson(shop: EmbeddedPage, email = "ada@example.com"): Promise<void> {
  await shop.open();
  await shop.say(ASK);
  await button(shop, "Talk to a person").click();
  await shop.page.getByLabel("E-mail").fill(email);
  await shop.page.locator(".handoff").getByRole("button", { name: "Send" }).click();
  await shop.page.getByText(`We will write to ${email}.`).waitFor();
}

async function latestHandoff(store = parley.store): Promise<StoredHandoff> {
  const [latest] = await store.handoffs.list({ limit: 1 });
  return latest!;
}

/** What stands in the conversation, from top to bottom: of the visitor, of people, and that they come and go. */
const said = ({ page }: EmbeddedPage) =>
  page.locator("parley-chat .turn:visible").evaluateAll((turns) =>
    turns.flatMap((turn) => {
      const text = turn.querySelector(".question bdi, .person p, .state")?.textContent;
      return text ? [text] : [];
    }),
  );

describe("what may be asked next", () => {
  test("stands below the latest answer, and goes when something is sent", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("where is my order");
    const chips = shop.log.locator(".pills button");
    await button(shop, "Do you ship to Norway?").waitFor();
    const labels = await chips.allTextContents();
    expect(labels).toContain("the state of an order");
    expect(labels).not.toContain("account.delete");
    await button(shop, "the state of an order").click();
    await eventually(async () => (await shop.log.locator(".answer").count()) === 2);
    expect(await shop.log.locator(".turn").nth(1).locator(".pills").count()).toBe(0);
    expect(await chips.count()).toBe(labels.length);
  });
});

describe("a rating", () => {
  const ratingOf = async (shop: EmbeddedPage) => {
    const { conversationId } = (await shop.page.evaluate(() =>
      JSON.parse(localStorage.getItem("parley:shop")!),
    )) as { conversationId: string };
    const stored = await parley.store.feedback.listOf(conversationId);
    return stored.map(({ rating, reason }) => ({ rating, ...(reason !== undefined && { reason }) }));
  };

  journey("is stored with its reason, shows as pressed, and stays so over a reload", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("where is my order");
    await button(shop, "Not helpful").click();
    await shop.page.getByLabel("What was wrong? (optional)").fill("It was wrong.");
    await shop.page.locator(".ask").getByRole("button", { name: "Send" }).click();
    await shop.page.getByText("Thank you.").waitFor();
    expect(await ratingOf(shop)).toEqual([{ rating: "down", reason: "It was wrong." }]);
    await shop.reload();
    await shop.open();
    await shop.page.locator('[aria-label="Not helpful"][aria-pressed="true"]').waitFor();
    await button(shop, "Helpful").click();
    await shop.page.getByText("Thank you.").waitFor();
    expect(await ratingOf(shop)).toEqual([{ rating: "up" }]);
  });

  test("stays to be seen when the conversation goes on", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("where is my order");
    await button(shop, "Helpful").click();
    await shop.page.getByText("Thank you.").waitFor();
    await shop.say(ASK);
    await button(shop, "Talk to a person").waitFor();
    expect(await shop.page.getByText("Thank you.").count()).toBe(0);
    const tools = shop.log.locator(".tools:has([aria-pressed=true])");
    expect(await tools.evaluate((node) => getComputedStyle(node).opacity)).toBe("1");
  });

  test("that is not stored says so, and can be given again", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("where is my order");
    await breakPath(shop, "/feedback");
    await button(shop, "Helpful").click();
    await shop.page.getByText("Not saved.").waitFor();
    expect(await button(shop, "Helpful").getAttribute("aria-pressed")).toBe("false");
    await shop.page.unroute("**/feedback");
    await button(shop, "Try again").click();
    await shop.page.getByText("Thank you.").waitFor();
    expect(await button(shop, "Helpful").getAttribute("aria-pressed")).toBe("true");
    expect(await ratingOf(shop)).toEqual([{ rating: "up" }]);
  });
});

describe("the form for a person", () => {
  test.each([
    [400, "This message was not accepted. Change it and try again."],
    [403, "This chat is not available here at the moment."],
    [429, "Too many requests. Try again in a minute."],
    [503, "Not sent. Your entries are kept."],
  ])("a form that is answered by %p says what can be done about it", async (status, says) => {
    await using shop = await openPage();
    await shop.open();
    await shop.say(ASK);
    await button(shop, "Talk to a person").click();
    await shop.page.getByLabel("E-mail").fill("ada@example.com");
    const headers = { "Access-Control-Allow-Origin": "*" };
    await shop.page.route("**/handoff", (route) => route.fulfill({ status, headers, json: {} }));
    await shop.page.locator(".handoff").getByRole("button", { name: "Send" }).click();
    await shop.page.locator(".handoff .wrong").getByText(says, { exact: true }).waitFor();
    expect(await shop.page.getByLabel("E-mail").inputValue()).toBe("ada@example.com");
  });

  test("is filled in with what the visitor gave, as far as it is asked for", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("2210987, ada@example.com, +49 30 901820");
    await button(shop, "Talk to a person").click();
    expect(await shop.page.getByLabel("E-mail").inputValue()).toBe("ada@example.com");
    expect(await shop.page.locator("#handoff-message").inputValue()).toStartWith("2210987, ada@example.com");
    expect(await shop.page.locator("#handoff-name").inputValue()).toBe("");
  });

  test("names its fields and its errors, keeps what was typed, and is sent once however often it is tried", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say(ASK);
    await button(shop, "Talk to a person").click();
    const email = shop.page.getByLabel("E-mail");
    const focused = () =>
      shop.page.evaluate(() => document.querySelector("parley-chat")!.shadowRoot!.activeElement?.id);
    expect(await focused()).toBe("handoff-name");
    expect(await shop.page.getByLabel("Phone").count()).toBe(0);
    const share = shop.page.getByLabel("Include this conversation");
    expect(await share.isChecked()).toBe(false);
    await shop.page.getByLabel("Name").fill("Ada");
    await shop.page.getByLabel("Message", { exact: true }).fill("Please call");
    const send = shop.page.locator(".handoff .do");
    await send.click();
    expect(await focused()).toBe("handoff-email");
    expect(await shop.page.locator("#handoff-email-error").textContent()).toContain("how to reach you");
    expect(await email.getAttribute("aria-describedby")).toBe("handoff-email-error");
    const errorColours = await shop.page.locator("#handoff-email-error").evaluate((error) => {
      const field = error.previousElementSibling!;
      const { borderColor, boxShadow, outlineStyle } = getComputedStyle(field);
      const label = getComputedStyle(field.previousElementSibling!).color;
      return { error: getComputedStyle(error).color, borderColor, boxShadow, outlineStyle, label };
    });
    expect(errorColours.error).not.toBe(errorColours.label);
    expect(errorColours.borderColor).toBe(errorColours.error);
    expect(errorColours.boxShadow).toBe(`${errorColours.error} 0px 0px 0px 1px inset`);
    expect(errorColours.outlineStyle).toBe("solid");
    await shop.page.getByLabel("Message", { exact: true }).focus();
    const ring = shop.page
      .locator("#handoff-message")
      .evaluate((field) => getComputedStyle(field).outlineStyle);
    expect(await ring).toBe("solid");
    await email.fill("ada@");
    await send.click();
    await shop.page.getByText("This is not an e-mail address.").waitFor();
    await email.fill("ada@example.com");
    await share.check();
    const keys: (string | undefined)[] = [];
    await shop.page.route("**/handoff", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      // The server has it, and its answer is lost.
      if (keys.length === 1) await route.fetch();
      return keys.length === 1 ? route.abort() : route.continue();
    });
    await send.click();
    await shop.page.getByText("Not sent. Your entries are kept.").waitFor();
    expect(await shop.page.getByLabel("Name").inputValue()).toBe("Ada");
    await send.click();
    const done = shop.page.locator(".asked", { hasText: "We will write to ada@example.com." });
    await done.waitFor();
    expect(await done.evaluate((node) => (node.getRootNode() as ShadowRoot).activeElement === node)).toBe(
      true,
    );
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await latestHandoff()).toMatchObject({
      fields: { name: "Ada", email: "ada@example.com", message: "Please call" },
      sharesTranscript: true,
    });
    await shop.reload();
    await shop.open();
    await done.waitFor();
  });

  test("comes into sight whole, and nothing lies on it", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("where is my order");
    await shop.log.getByText("It is on its way.").waitFor();
    await shop.say(ASK);
    await button(shop, "Talk to a person").click();
    const inSight = async () => {
      const form = (await shop.page.locator(".handoff").boundingBox())!;
      const view = (await shop.page.locator(".scroll").boundingBox())!;
      expect(form.y).toBeGreaterThanOrEqual(view.y);
      expect(form.y + form.height).toBeLessThanOrEqual(view.y + view.height);
      expect(await shop.page.locator(".latest:visible").count()).toBe(0);
    };
    await inSight();
    await shop.page.locator(".handoff .do").click();
    await shop.page.locator("#handoff-email-error").waitFor();
    await inSight();
  });

  test("says when somebody is there again, in the visitor's own time, before and after it is sent", async () => {
    await using shop = await openPage({ botId: "closed", context: { timezoneId: "Asia/Tokyo" } });
    await shop.open();
    await shop.say(ASK);
    await button(shop, "Talk to a person").click();
    const text = await shop.page.locator(".handoff .aside").textContent();
    // Berlin is seven or eight hours behind Tokyo.
    expect(text).toMatch(/^Nobody is there right now\. We are back on Monday,? (at )?(10|11):00\sAM\.$/);
    await shop.page.getByLabel("Phone").fill(" +49 30 1234 ");
    await shop.page.locator(".handoff .do").click();
    expect(await shop.page.locator(".asked").textContent()).toBe(`We will call +49 30 1234. ${text}`);
    await shop.reload();
    await shop.open();
    await shop.page.getByText(`We will call +49 30 1234. ${text}`).waitFor();
  });

  test("is offered where the cap is reached; who answers hears what the cap held back", async () => {
    await using shop = await openPage({ botId: "capped" });
    await shop.open();
    await shop.say("where is my order");
    await shop.log.locator(".answer").waitFor();
    await shop.say("and my other order?");
    await button(shop, "Talk to a person").click();
    await shop.page.getByLabel("Message", { exact: true }).fill("Please");
    await shop.page.locator(".handoff .do").click();
    await shop.page.getByText("Somebody will get back to you.").waitFor();
    const { id } = await latestHandoff();
    await ann.json("POST", `/handoffs/${id}/take`);
    await shop.log.getByText("Ann has joined").waitFor();
    await shop.input.waitFor();
    const { items } = await ann.json<{ items: { text: string }[] }>("GET", `/handoffs/${id}/events`);
    expect(items.map(({ text }) => text)).toEqual(["live", "and my other order?"]);
  });

  test("is offered where no model answers, whatever the bot offers it for", async () => {
    await using shop = await openPage({ botId: "down" });
    await shop.open();
    await shop.say("where is my order");
    await shop.log.getByText("I cannot answer that at the moment.").waitFor();
    await button(shop, "Talk to a person").click();
    await shop.page.getByLabel("Message", { exact: true }).fill("Please call");
    await shop.page.locator(".handoff .do").click();
    await shop.page.getByText("Somebody will get back to you.").waitFor();
    expect((await latestHandoff()).fields).toEqual({ message: "Please call" });
  });

  test("is not offered by a bot that hands nobody over", async () => {
    await using shop = await openPage({ botId: "plain" });
    await shop.open();
    await shop.say(ASK);
    await button(shop, "Helpful").waitFor();
    expect(await button(shop, "Talk to a person").count()).toBe(0);
  });
});

describe("a person who writes", () => {
  journey(
    "is heard as plain text under a name, in every tab, over a reload, until the bot answers again",
    async () => {
      await using shop = await openPage();
      await askForPerson(shop);
      const { id } = await latestHandoff();
      const operate = (action: string, body?: object) => ann.json("POST", `/handoffs/${id}/${action}`, body);
      await operate("take");
      await shop.log.getByText("Ann has joined").waitFor();
      await operate("messages", { text: "Hello, <b>Ada</b>!" });
      await shop.log.getByText("Hello, <b>Ada</b>!").waitFor();
      await shop.say("hi Ann");
      const other = await shop.page.context().newPage();
      await other.goto(shop.url);
      await other.locator("parley-chat .launcher").click();
      await other.locator("parley-chat textarea").fill("from the other tab");
      await other.locator("parley-chat textarea").press("Enter");
      await shop.log.getByText("from the other tab").waitFor();
      await other.close();
      await shop.reload();
      await operate("messages", { text: "I see." });
      await shop.open();
      await shop.log.getByText("I see.").waitFor();
      await operate("release");
      await shop.log.getByText("The assistant answers again").waitFor();
      expect(await said(shop)).toEqual([
        ASK,
        "Ann has joined",
        "Hello, <b>Ada</b>!",
        "hi Ann",
        "from the other tab",
        "I see.",
        "The assistant answers again",
      ]);
      expect(await shop.page.locator(".person b bdi").allTextContents()).toEqual(["Ann", "Ann"]);
      expect(await shop.log.getByText("Somebody is with you").count()).toBe(0);
      await shop.say("where is my order");
      await button(shop, "Do you ship to Norway?").waitFor();
      expect(shop.troubles).toEqual([]);
    },
  );

  test("shows at the launcher while the panel is closed", async () => {
    await using shop = await openPage();
    await askForPerson(shop);
    const { id } = await latestHandoff();
    await ann.json("POST", `/handoffs/${id}/take`);
    await shop.log.getByText("Ann has joined").waitFor();
    await button(shop, "Close chat").click();
    await ann.json("POST", `/handoffs/${id}/messages`, { text: "Still there?" });
    await eventually(async () => (await shop.page.locator(".badge").getAttribute("data-n")) === "1");
  });

  test("who is not going to come: the visitor reads that the wish was closed, and may ask again", async () => {
    await using shop = await openPage();
    await askForPerson(shop);
    const { id } = await latestHandoff();
    await ann.json("POST", `/handoffs/${id}/close`);
    await shop.log.getByText("Your request was closed. You can ask again.").waitFor();
    await button(shop, "Talk to a person").waitFor();
    expect(await shop.log.locator(".turn").last().locator(".talk").count()).toBe(1);
    expect(await button(shop, "Talk to a person").count()).toBe(1);
    await button(shop, "Talk to a person").click();
    await shop.page.getByLabel("E-mail").fill("eve@example.com");
    await shop.page.locator(".handoff .do").click();
    await shop.page.getByText("We will write to eve@example.com.").waitFor();
    expect(shop.troubles).toEqual([]);
  });

  test("who has gone is offered again below the next answer that offers one, and not above what was said", async () => {
    await using shop = await openPage();
    await askForPerson(shop);
    const { id } = await latestHandoff();
    await ann.json("POST", `/handoffs/${id}/take`);
    await shop.log.getByText("Ann has joined").waitFor();
    await ann.json("POST", `/handoffs/${id}/close`);
    await shop.log.getByText("The assistant answers again").waitFor();
    expect(await button(shop, "Talk to a person").count()).toBe(0);
    await shop.say(ASK);
    await button(shop, "Talk to a person").waitFor();
    expect(await shop.log.locator(".turn").last().locator(".talk").count()).toBe(1);
  });

  test("shows at the launcher of a page that was loaded anew, in each tab until it is read in one", async () => {
    await using shop = await openPage();
    await askForPerson(shop);
    const { id } = await latestHandoff();
    await button(shop, "Close chat").click();
    await shop.reload();
    const other = await shop.page.context().newPage();
    await other.goto(shop.url);
    const badges = [shop.page, other].map((page) => page.locator("parley-chat .badge"));
    const [first, second] = badges as [(typeof badges)[0], (typeof badges)[0]];
    const counts = async () =>
      [await first.getAttribute("data-n"), await second.getAttribute("data-n")].join();
    await ann.json("POST", `/handoffs/${id}/take`);
    await ann.json("POST", `/handoffs/${id}/messages`, { text: "Still there?" });
    await eventually(async () => (await counts()) === "1,1");
    expect(await shop.panel.isVisible()).toBe(false);
    await look(shop, "unread-after-reload");
    await other.locator("parley-chat .launcher").click();
    await other.getByText("Still there?").waitFor();
    await eventually(async () => (await counts()) === ",");
    expect(shop.troubles).toEqual([]);
  });

  test("costs a page nothing once the hand-off is closed", async () => {
    await using shop = await openPage();
    await askForPerson(shop);
    const { id } = await latestHandoff();
    await ann.json("POST", `/handoffs/${id}/take`);
    await ann.json("POST", `/handoffs/${id}/close`);
    await shop.log.getByText("The assistant answers again").waitFor();
    await button(shop, "Close chat").click();
    const asked: string[] = [];
    shop.page.on("request", (request) => asked.push(request.url()));
    await shop.reload();
    await shop.launcher.waitFor();
    await shop.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    expect(asked.filter((url) => /panel-|people-|events/.test(url))).toEqual([]);
  });

  test("is followed no longer than the hand-off, and not after the widget has gone", async () => {
    await using shop = await openPage();
    await shop.page.clock.install();
    await askForPerson(shop);
    const { id } = await latestHandoff();
    await ann.json("POST", `/handoffs/${id}/take`);
    await shop.log.getByText("Ann has joined").waitFor();
    const isFollowing = (request: { url: () => string }) => request.url().includes("/chat/events");
    const begun: string[] = [];
    shop.page.on("request", (request) => isFollowing(request) && begun.push(request.url()));
    // The page leaves the stream, or the service ends it first.
    const ended = Promise.race([
      shop.page.waitForEvent("requestfailed", isFollowing),
      shop.page.waitForEvent("requestfinished", isFollowing),
    ]);
    await ann.json("POST", `/handoffs/${id}/close`);
    await shop.log.getByText("The assistant answers again").waitFor();
    await ended;
    // Longer than any pause before the next try.
    await shop.page.clock.runFor(60_000);
    expect(begun).toEqual([]);
  });

  test("cannot come where the bot lets nobody in: nothing is followed", async () => {
    await using shop = await openPage({ botId: "notes" });
    const asked: string[] = [];
    shop.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await askForPerson(shop);
    await shop.say("where is my order");
    expect(asked).toContain("/handoff");
    expect(asked).not.toContain("/chat/events");
  });

  test("and the visitor lose nothing and hear nothing twice when the server is killed and comes back", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
    const opened = await openTestStore(dataDir, Date.now);
    await using store = opened.store;
    await store.bots.seed([BOTS[0]!], { prune: false, dryRun: false });
    const token = await issueToken(store, ["shop"]);
    const [port, operatorPort] = [freePort(), freePort()];
    const start = () =>
      startServerProcess({
        store: opened.flags,
        modelUrl: "http://127.0.0.1:9/v1",
        lease: { beatEveryMs: 200, leaseMs: 1000 },
        port,
        operatorPort,
      });
    let server = await start();
    const operated = { store, server: { localOperatorUrl: `http://127.0.0.1:${operatorPort}` } };
    await signIn(operated, "owner");
    const bea = await signIn(operated, "Bea", "editor");
    await using shop = await embed({ serviceUrl: server.url, botId: "shop", embedToken: token });
    await askForPerson(shop);
    const { id } = await latestHandoff(store);
    await bea.json("POST", `/handoffs/${id}/take`);
    await bea.json("POST", `/handoffs/${id}/messages`, { text: "one" });
    await shop.log.getByText("one", { exact: true }).waitFor();
    const answered = shop.page.waitForResponse(/\/chat$/);
    await shop.say("two");
    await (await answered).finished();

    server.process.kill("SIGKILL");
    await server.process.exited;
    await shop.say("three");
    await shop.page.getByText("Not sent.").waitFor();
    server = await start();
    await bea.json("POST", `/handoffs/${id}/messages`, { text: "four" });
    await shop.log.getByText("four", { exact: true }).waitFor();
    await button(shop, "Try again").click();
    await shop.reload();
    await shop.open();
    await bea.json("POST", `/handoffs/${id}/messages`, { text: "five" });
    await shop.log.getByText("five", { exact: true }).waitFor();

    const { items } = await bea.json<{ items: { text: string }[] }>("GET", `/handoffs/${id}/events`);
    expect(items.map(({ text }) => text)).toEqual(["live", "one", "two", "four", "three", "five"]);
    expect(await said(shop)).toEqual([ASK, "Bea has joined", "one", "two", "four", "three", "five"]);
    await server[Symbol.asyncDispose]();
    await opened.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

/** One that nobody listens on just now. */
function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

describe.each(["kiosk", "minimal"])("the template %s", (botId) => {
  test("takes a rating, a wish for a person, and hears who comes", async () => {
    await using shop = await openPage({ botId });
    await shop.launcher.click();
    const say = async (text: string) => {
      await shop.panel.getByRole("textbox").last().fill(text);
      await shop.panel.getByRole("textbox").last().press("Enter");
    };
    await say(ASK);
    await button(shop, "Helpful").click();
    await shop.page.getByText("Thank you.").waitFor();
    await button(shop, "Talk to a person").click();
    await look(shop, `${botId}-form`);
    await shop.page.getByLabel("E-mail").fill("ada@example.com");
    await shop.page.locator(".handoff").getByRole("button", { name: "Send" }).click();
    await shop.page.getByText("We will write to ada@example.com.").waitFor();
    const { id } = await latestHandoff();
    await ann.json("POST", `/handoffs/${id}/take`);
    await shop.log.getByText("Ann has joined").waitFor();
    await ann.json("POST", `/handoffs/${id}/messages`, { text: "Hello, <b>Ada</b>!" });
    await shop.log.getByText("Hello, <b>Ada</b>!").waitFor();
    await say("hi Ann");
    await ann.json("POST", `/handoffs/${id}/messages`, { text: "I see." });
    await shop.log.getByText("I see.").waitFor();
    await look(shop, `${botId}-live`);
    await ann.json("POST", `/handoffs/${id}/release`);
    await shop.log.getByText("The assistant answers again").waitFor();
    const texts = (await shop.log.innerText()).split("\n").filter((line) => line.trim() !== "");
    const order = [ASK, "Ann has joined", "Hello, <b>Ada</b>!", "hi Ann", "I see.", "The assistant answers"];
    const places = order.map((text) => texts.findIndex((line) => line.includes(text)));
    expect(places.toSorted((one, next) => one - next)).toEqual(places);
    expect(places).not.toContain(-1);
    expect(texts.filter((line) => line.includes("Somebody is with you"))).toEqual([]);
    expect(shop.troubles).toEqual([]);
  });
});

describe("a kiosk that is reset", () => {
  const startOver = (shop: EmbeddedPage) => button(shop, "New conversation").click();

  test("shows the next visitor nothing of what was typed, and offers them none of it", async () => {
    await using shop = await openPage({ botId: "kiosk" });
    await shop.launcher.click();
    await shop.panel.getByRole("textbox").fill(ASK);
    await shop.panel.getByRole("textbox").press("Enter");
    await button(shop, "Talk to a person").click();
    const email = shop.page.getByLabel("E-mail");
    await email.fill("ada@example.com");
    expect(await email.getAttribute("autocomplete")).toBe("off");
    await startOver(shop);
    await shop.panel.getByRole("textbox").fill(ASK);
    await shop.panel.getByRole("textbox").press("Enter");
    await button(shop, "Talk to a person").click();
    expect(await email.inputValue()).toBe("");
  });

  test("gives the next visitor no answer to a form that was on its way", async () => {
    await using shop = await openPage({ botId: "kiosk" });
    await shop.launcher.click();
    await shop.panel.getByRole("textbox").fill(ASK);
    await shop.panel.getByRole("textbox").press("Enter");
    await button(shop, "Talk to a person").click();
    await shop.page.getByLabel("E-mail").fill("ada@example.com");
    const held = Promise.withResolvers<void>();
    await shop.page.route("**/handoff", async (route) => {
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
    });
    const answered = shop.page.waitForResponse("**/handoff");
    await shop.page.locator(".handoff").getByRole("button", { name: "Send" }).click();
    await shop.page.locator('.handoff [aria-disabled="true"]').waitFor();
    await startOver(shop);
    held.resolve();
    await (await answered).finished();
    await shop.panel.getByRole("textbox").fill("where is my order");
    await shop.panel.getByRole("textbox").press("Enter");
    await button(shop, "Helpful").waitFor();
    const kept = await shop.page.evaluate(() => localStorage.getItem("parley:kiosk")!);
    expect(JSON.parse(kept)).not.toHaveProperty("handoff");
    expect((JSON.parse(kept) as { conversationId: string }).conversationId).not.toBe(
      (await latestHandoff()).conversationId,
    );
  });
});

describe.each([
  ["light", "LTR", 'lang="en"', "Talk to a person"],
  ["dark", "LTR", 'lang="en"', "Talk to a person"],
  ["light", "RTL", 'lang="ar" dir="rtl"', "التحدث إلى شخص"],
  ["dark", "RTL", 'lang="ar" dir="rtl"', "التحدث إلى شخص"],
] as const)("axe finds nothing, %s, %s:", (colorScheme, direction, root, talk) => {
  test("rated, with the form and its errors, and with a person who writes", async () => {
    await using shop = await openPage({
      root,
      head: "<style>@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style>",
      context: { colorScheme, viewport: { width: 390, height: 780 } },
    });
    await shop.open();
    await shop.say(ASK);
    await shop.page.locator(".thumbs button").last().click();
    await shop.page.locator(".ask input").waitFor();
    await button(shop, talk).click();
    await shop.page.locator(".handoff .do").click();
    await shop.page.locator(".wrong[id]").waitFor();
    expect(await violations(shop)).toEqual([]);
    await look(shop, `form-${colorScheme}-${direction}`);
    await shop.page.locator("#handoff-email").fill("ada@example.com");
    await shop.page.locator(".handoff .do").click();
    await shop.page.locator(".asked").waitFor();
    const { id } = await latestHandoff();
    await ann.json("POST", `/handoffs/${id}/take`);
    await ann.json("POST", `/handoffs/${id}/messages`, { text: "Hello, how can I help?" });
    await shop.page.locator(".person").waitFor();
    await shop.say("Great.");
    await eventually(async () => (await shop.page.locator(".held").count()) === 0);
    expect(await violations(shop)).toEqual([]);
    await look(shop, `live-${colorScheme}-${direction}`);
  });
});

/** Keeps a picture where `PICTURES` names a folder. */
async function look({ page }: EmbeddedPage, name: string): Promise<void> {
  const folder = process.env["PICTURES"];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
