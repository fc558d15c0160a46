import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout } from "bun:test";

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

import { embed, type EmbeddedPage } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { journey, test } from "../support/journey.ts";
import { answer, type MockService, problem, startMockService, stream } from "../support/mock-service.ts";

setDefaultTimeout(120_000);

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
beforeEach(() => {
  service.calls.length = 0;
  service.config = () => ({ suggestedQuestions: QUESTIONS });
  service.chat = () => answer("It is on its **way**.");
});
afterAll(() => service[Symbol.asyncDispose]());

const QUESTIONS = [
  { id: "b", text: "What does shipping cost?", order: 2 },
  { id: "a", text: "Where is my order?", order: 1 },
];

const openPage = (options = {}) => embed({ serviceUrl: service.url, ...options });

test("closed: a button of 56 px at the end corner, named and collapsed", async () => {
  await using shop = await openPage();
  await shop.page.waitForFunction(() => document.querySelector("parley-chat") !== null);
  const box = (await shop.launcher.boundingBox())!;
  expect([box.width, box.height]).toEqual([56, 56]);
  expect(1280 - box.x - box.width).toBe(20);
  await shop.page.getByRole("button", { name: "Chat: Acme Support", expanded: false }).waitFor();
  expect(await shop.panel.isVisible()).toBe(false);
});

test("unread: an answer that came while closed is counted on the launcher, and read once opened", async () => {
  await using shop = await openPage();
  await shop.page.evaluate(() => (window.Parley as { send: (text: string) => void }).send("Hello"));
  await shop.page.getByRole("button", { name: "Chat: Acme Support, 1" }).waitFor();
  expect(await shop.page.locator(".badge").getAttribute("data-n")).toBe("1");
  await shop.reload();
  await shop.page.getByRole("button", { name: "Chat: Acme Support, 1" }).waitFor();
  await shop.open();
  expect(await shop.page.locator(".badge").getAttribute("data-n")).toBe("");
});

test("named: the launcher's name begins with what is read on it, also with an answer unread", async () => {
  service.config = () => ({ launcher: { label: "Ask Acme" } });
  await using shop = await openPage();
  await shop.page.evaluate(() => (window.Parley as { send: (text: string) => void }).send("Hello"));
  await shop.page.getByRole("button", { name: "Ask Acme: Acme Support, 1" }).waitFor();
  const { violations } = await new AxeBuilder({ page: shop.page })
    .withRules(["label-content-name-mismatch"])
    .analyze();
  expect(violations).toEqual([]);
});

test("undressed: until its colours are known, the launcher is grey", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using shop = await openPage({
    prepare: (page: Page) =>
      page.route("**/embed-config*", async (route) => {
        await promise;
        await route.continue();
      }),
  });
  await shop.launcher.waitFor();
  const colour = () => shop.launcher.evaluate((button) => getComputedStyle(button).backgroundColor);
  expect(await colour()).toBe("rgb(136, 136, 136)");
  resolve();
  await eventually(async () => expect(await colour()).toBe("rgb(32, 36, 46)"));
});

/** The panel's code arrives only when the returned function is called. */
async function holdPanel({ page }: EmbeddedPage): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/panel-*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test("opening: the shell stands before its contents, and the focus goes to the input", async () => {
  await using shop = await openPage();
  const release = await holdPanel(shop);
  await shop.launcher.click();
  expect(await shop.panel.isVisible()).toBe(true);
  release();
  await shop.input.waitFor();
  await shop.page.waitForFunction(
    () => document.querySelector("parley-chat")!.shadowRoot!.activeElement?.localName === "textarea",
  );
});

test("opening: a panel that was closed before its contents came has a whole line to write in", async () => {
  await using shop = await openPage();
  const release = await holdPanel(shop);
  await shop.launcher.click();
  await shop.launcher.click();
  release();
  await shop.input.waitFor({ state: "attached" });
  await shop.open();
  const cutOff = await shop.input.evaluate((input) => input.scrollHeight - input.clientHeight);
  expect(cutOff).toBe(0);
});

journey("welcome with pills: the greeting, then the questions in their order", async () => {
  await using shop = await openPage();
  await shop.open();
  expect(await shop.page.locator(".greeting").textContent()).toBe("Hi! I'm Acme Support. How can I help?");
  expect(await shop.page.locator(".pills button").allTextContents()).toEqual([
    "Where is my order?",
    "What does shipping cost?",
  ]);
  await shop.page.getByRole("button", { name: "Where is my order?" }).click();
  await shop.log.getByText("It is on its way.").waitFor();
  expect(service.calls[0]!.body).toEqual({ botId: "acme", input: "Where is my order?" });
  expect(await shop.page.locator(".pills").count()).toBe(0);
});

const MARKDOWN_WELCOME =
  "Welcome to the clinic. I can't give medical advice.\n**In an emergency, call 911 right away.**";

test("welcome in Markdown: emphasis and line breaks, on the start screen and above the conversation", async () => {
  service.config = () => ({ welcomeMessage: MARKDOWN_WELCOME });
  await using shop = await openPage();
  await shop.open();
  const welcome = shop.page.locator(".welcome");
  const html = () => welcome.locator(".prose p").evaluateAll((all) => all.map((p) => p.innerHTML));
  const rest = "I can't give medical advice.<br><strong>In an emergency, call 911 right away.</strong>";
  expect(await html()).toEqual(["Welcome to the clinic.", rest]);
  await shop.say("Hello");
  await shop.log.getByText("It is on its way.").waitFor();
  expect(await html()).toEqual([`Welcome to the clinic. ${rest}`]);
});

test.each([
  ["**Call 911. At once.** Then tell us which of our services you would need, and where.", "strong"],
  ["[Opening hours! Here](https://a.test/) and all else you may want to know about us.", "a"],
])("welcome in Markdown: %p is not cut within its mark-up", async (welcomeMessage, tag) => {
  service.config = () => ({ welcomeMessage });
  await using shop = await openPage();
  await shop.open();
  await shop.page.locator(`.greeting ${tag}`).waitFor();
  expect(await shop.page.locator(".welcome").textContent()).not.toMatch(/[*[]/);
});

test("welcome with message box: full-width cards beside a composer of three rows", async () => {
  service.config = () => ({ suggestedQuestions: QUESTIONS, suggestedQuestionsStyle: "message_box" });
  await using shop = await openPage();
  await shop.open();
  const cards = await shop.page.locator(".message_box button").all();
  const widths = await Promise.all(cards.map(async (card) => (await card.boundingBox())!.width));
  expect(widths).toEqual([344, 344]);
  expect((await shop.input.boundingBox())!.height).toBeGreaterThanOrEqual(72);
});

test("typing: dots at once, a word after five seconds, and the send button stops", async () => {
  await using shop = await openPage();
  let release = () => {};
  service.chat = async () => {
    await new Promise<void>((resolve) => (release = resolve));
    return answer("Late.");
  };
  await shop.page.clock.install();
  await shop.open();
  await shop.say("Hello");
  await shop.page.locator(".typing").waitFor();
  expect(await shop.page.locator(".typing").textContent()).toBe("");
  await shop.page.clock.runFor(5100);
  expect(await shop.page.locator(".typing").textContent()).toBe("Still working on it…");
  await shop.page.getByRole("button", { name: "Stop answering" }).click();
  await shop.log.getByText("Stopped.").waitFor();
  await shop.page.getByRole("button", { name: "Send" }).waitFor();
  release();
});

journey("streaming: text grows outside the log, and enters it whole", async () => {
  await using shop = await openPage();
  service.chat = () => stream(["It ", "is **on", " its** way."], { pauseMs: 250 });
  await shop.open();
  await shop.say("Where?");
  await shop.page.locator(".answer[aria-hidden]").getByText("It").waitFor();
  expect(await shop.log.getByText("It is").count()).toBe(0);
  await shop.log.getByText("It is on its way.").waitFor();
  expect(await shop.page.locator(".answer[aria-hidden]").count()).toBe(0);
  expect(service.calls[0]!.accept).toContain("text/event-stream");
});

journey(
  "answered: a bubble for the visitor, plain text for the bot, and the focus stays in the input",
  async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("Where is my order?");
    await shop.log.locator("strong", { hasText: "way" }).waitFor();
    expect(await shop.page.locator(".question").textContent()).toBe("You: Where is my order?");
    expect(
      await shop.page.locator(".answer").evaluate((node) => getComputedStyle(node).backgroundColor),
    ).toBe("rgba(0, 0, 0, 0)");
    // `:focus` is false where another page of the browser is in front.
    expect(
      await shop.input.evaluate((input) => (input.getRootNode() as ShadowRoot).activeElement === input),
    ).toBe(true);
    expect(await shop.input.inputValue()).toBe("");
  },
);

test("an earlier conversation is known by what the visitor wrote last, without the marks of Markdown", async () => {
  service.chat = () => answer("It is **on** its [way](https://example.com/track), see `#4711`.");
  await using shop = await openPage();
  await shop.open();
  await shop.say("Where?");
  await shop.log.locator("strong").waitFor();
  await shop.page.getByRole("button", { name: "New conversation" }).click();
  expect(await shop.page.locator(".back bdi").textContent()).toBe("Where?");
});

test("restricted: a neutral card that is no alert", async () => {
  service.chat = () =>
    answer("That is not for a bot to do.", {
      capabilityAllowed: false,
      enforcementReason: "DENY_LIST",
    });
  await using shop = await openPage();
  await shop.open();
  await shop.say("delete my account");
  await shop.page.locator(".restricted svg").waitFor();
  expect(await shop.page.getByRole("alert").count()).toBe(0);
  expect(await shop.page.locator(".restricted").textContent()).not.toContain("DENY_LIST");
});

test("a question back: an answer like any other, with the choices as buttons", async () => {
  service.chat = ({ body }) =>
    body.input === "refund"
      ? answer("Did you mean: Track an order, Shipping or Returns?", {
          capabilityAllowed: false,
          enforcementReason: "no_intent_match",
          suggestions: ["Track an order", "Shipping", "Returns"].map((label) => ({ intent: "x", label })),
        })
      : answer("Fine.");
  await using shop = await openPage();
  await shop.open();
  await shop.say("refund");
  await shop.page.getByRole("button", { name: "None of these" }).waitFor();
  expect(await shop.page.getByRole("alert").count()).toBe(0);
  expect(await shop.page.locator(".restricted, .answer svg").count()).toBe(0);
  expect(await shop.page.locator(".answer button").allTextContents()).toEqual([
    "Track an order",
    "Shipping",
    "Returns",
    "None of these",
  ]);
  const borders = await shop.page
    .locator(".answer .pills button")
    .evaluateAll((all) => all.map((choice) => getComputedStyle(choice).borderColor));
  expect(new Set(borders.slice(0, 3)).size).toBe(1);
  expect(borders[3]).not.toBe(borders[0]);
  expect(await shop.page.locator(".answer").textContent()).not.toContain("no_intent_match");
  await shop.page.getByRole("button", { name: "Returns" }).click();
  await shop.log.getByText("Fine.").waitFor();
  expect(service.calls[1]!.body.input).toBe("Returns");
});

test("rate limited: counts down, keeps the draft, and sends the message again by itself under the same key", async () => {
  let limited = true;
  service.chat = () => (limited ? problem(429, "RATE_LIMITED", { "Retry-After": "17" }) : answer("Here."));
  await using shop = await openPage();
  await shop.page.clock.install();
  await shop.open();
  await shop.say("First");
  await shop.page.getByText("This will be sent in 17 sec.").first().waitFor();
  await shop.input.fill("a second thought");
  await shop.input.press("Enter");
  expect(await shop.input.inputValue()).toBe("a second thought");
  expect(await shop.page.getByText("Too Many Requests").count()).toBe(0);
  limited = false;
  await shop.page.clock.runFor(10_000);
  await shop.page.locator(".countdown", { hasText: "7 sec" }).waitFor();
  await shop.page.clock.runFor(8000);
  await shop.log.getByText("Here.").waitFor();
  expect(service.calls.map((call) => call.body.input)).toEqual(["First", "First"]);
  expect(service.calls[0]!.idempotencyKey).toBe(service.calls[1]!.idempotencyKey);
  expect(await shop.input.inputValue()).toBe("a second thought");
});

test("cap reached: a notice with the day of the reset stands in the composer's place", async () => {
  service.chat = () => problem(429, "MESSAGE_CAP_EXCEEDED", { "Retry-After": "864000" });
  await using shop = await openPage();
  await shop.open();
  await shop.say("Hello");
  const notice = shop.page.locator(".cap");
  await notice.waitFor();
  const day = new Date(Date.now() + 864_000_000).toLocaleDateString("en", { day: "numeric", month: "long" });
  expect(await notice.textContent()).toBe(
    `This chat has reached its limit for the month. It is back on ${day}.`,
  );
  expect(await shop.input.count()).toBe(0);
  await shop.log.getByText("Hello").waitFor();
});

test("offline: queued, and sent exactly once on return", async () => {
  await using shop = await openPage();
  await shop.open();
  await shop.page.context().setOffline(true);
  await shop.say("Are you there?");
  await shop.page.getByText("You are offline.").waitFor();
  expect(service.calls).toHaveLength(0);
  await shop.page.context().setOffline(false);
  await shop.log.getByText("It is on its way.").waitFor();
  expect(service.calls).toHaveLength(1);
});

test("unreachable: not sent, try again under the same key", async () => {
  await using shop = await openPage();
  await shop.open();
  const keys: (string | undefined)[] = [];
  let fail = true;
  await shop.page.route("**/chat", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (fail) await route.abort();
    else await route.continue();
  });
  await shop.say("Hello?");
  await shop.page.getByRole("alert").getByText("Not sent.").waitFor();
  fail = false;
  await shop.page.getByRole("button", { name: "Try again" }).click();
  await shop.log.getByText("It is on its way.").waitFor();
  expect(keys[0]).toBe(keys[1]);
});

test("server error: a human sentence, the request id, and one way to send it again, which is not counted twice", async () => {
  let broken = true;
  service.chat = () => (broken ? problem(503, "STORAGE_UNAVAILABLE") : answer("Back again."));
  await using shop = await openPage();
  await shop.open();
  await shop.say("Hello?");
  const alert = shop.page.getByRole("alert");
  await alert.getByText("Something went wrong on our side.").waitFor();
  await alert.getByText("Reference: rq_mock00000000000000000000001").waitFor();
  expect(await alert.textContent()).not.toContain("STORAGE_UNAVAILABLE");
  expect(await shop.input.inputValue()).toBe("");
  await shop.page.locator(".question.held", { hasText: "Hello?" }).waitFor();
  broken = false;
  await shop.page.getByRole("button", { name: "Try again" }).click();
  await shop.log.getByText("Back again.").waitFor();
  expect(await shop.page.locator(".question").count()).toBe(1);
  expect(service.calls[0]!.idempotencyKey).toBe(service.calls[1]!.idempotencyKey);
});

test("a stream that breaks midway is an error that can be retried", async () => {
  const data = { type: "about:blank", status: 502, code: "MODEL_ERROR", detail: "x", requestId: "rq_cut" };
  service.chat = () => stream(["Half an"], { last: { event: "error", data } });
  await using shop = await openPage();
  await shop.open();
  await shop.say("Hello?");
  await shop.page.getByRole("alert").getByText("Reference: rq_cut").waitFor();
  await shop.log.getByText("Half an").waitFor();
  service.chat = () => stream(["Whole."]);
  await shop.page.getByRole("button", { name: "Try again" }).click();
  await shop.log.getByText("Whole.").waitFor();
  expect(await shop.page.getByText("Half an").count()).toBe(0);
});

test("a message that is refused for good comes back for editing, and what replaces it has a key of its own", async () => {
  service.chat = ({ body }) => (body.input === "bad" ? problem(400, "INVALID_REQUEST") : answer("Good."));
  await using shop = await openPage();
  await shop.open();
  await shop.say("bad");
  await shop.page.getByRole("alert").getByText("This message was not accepted.").waitFor();
  expect(await shop.page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  expect(await shop.input.inputValue()).toBe("bad");
  expect(await shop.page.locator(".question").count()).toBe(0);
  await shop.say("better");
  await shop.log.getByText("Good.").waitFor();
  expect(await shop.page.locator(".question").allTextContents()).toEqual(["You: better"]);
  expect(service.calls[0]!.idempotencyKey).not.toBe(service.calls[1]!.idempotencyKey);
});

test("a message that is refused while another is being written stays where it is", async () => {
  await using shop = await openPage();
  let refuse = () => {};
  service.chat = () =>
    new Promise((resolve) => {
      refuse = () => resolve(problem(400, "INVALID_REQUEST"));
    });
  await shop.open();
  await shop.say("bad");
  await shop.page.getByRole("button", { name: "Stop answering" }).waitFor();
  await shop.input.fill("something else");
  refuse();
  await shop.page.getByRole("alert").getByText("This message was not accepted.").waitFor();
  expect(await shop.input.inputValue()).toBe("something else");
  expect(await shop.page.locator(".question bdi").allTextContents()).toEqual(["bad"]);
});

test("a message that came back is gone from the composer when it is deleted", async () => {
  service.chat = () => problem(400, "INVALID_REQUEST");
  await using shop = await openPage();
  await shop.open();
  await shop.say("bad");
  await shop.page.getByRole("button", { name: "Delete" }).click();
  await shop.page.locator(".fresh").waitFor();
  expect(await shop.input.inputValue()).toBe("");
});

test.each([
  ["on a phone", { width: 390, height: 844 }],
  ["zoomed", { width: 320, height: 480 }],
  ["at a desk", { width: 1280, height: 800 }],
])(
  "a message that is far too long: the refusal and the draft are in sight %s, also after a reload",
  async (_, viewport) => {
    service.chat = () => problem(400, "INVALID_REQUEST");
    await using shop = await openPage({ context: { viewport } });
    const long = "A long story. ".repeat(293).trim();
    const inSight = async () => {
      const alert = shop.page.getByRole("alert").getByText("This message was not accepted.");
      await alert.waitFor();
      const [view, box] = [await shop.page.locator(".scroll").boundingBox(), await alert.boundingBox()];
      expect(box!.y).toBeGreaterThanOrEqual(view!.y);
      expect(box!.y + box!.height).toBeLessThanOrEqual(view!.y + view!.height);
      expect(await shop.input.inputValue()).toBe(long);
    };
    await shop.open();
    await shop.say(long);
    await inSight();
    await shop.reload();
    await shop.open();
    await inSight();
    expect(service.calls).toHaveLength(1);
  },
);

test("the answer to a long message is read from its beginning", async () => {
  service.chat = () => answer(`First words. ${"And more of them. ".repeat(200)}`);
  await using shop = await openPage({ context: { viewport: { width: 390, height: 844 } } });
  await shop.open();
  await shop.say("A long story. ".repeat(200));
  const top = (await shop.log.locator(".answer").boundingBox())!.y;
  const view = (await shop.page.locator(".scroll").boundingBox())!;
  expect(top).toBeGreaterThan(view.y);
  expect(top).toBeLessThan(view.y + view.height / 2);
});

test.each([404, 403])("disabled bot (%d): nothing at all on the page", async (status) => {
  service.config = () => problem(status, "NOT_FOUND");
  await using shop = await openPage();
  await shop.page.waitForFunction(() => window.Parley !== undefined);
  await shop.page.waitForFunction(() => document.querySelector("parley-chat") === null);
  await shop.page.evaluate(() => (window.Parley as { open: () => void }).open());
  expect(await shop.page.locator("parley-chat").count()).toBe(0);
});

test("disabled bot whose settings were preloaded: no bubble for an instant either, and they are asked for once", async () => {
  let asked = 0;
  service.config = () => {
    asked += 1;
    return problem(404, "NOT_FOUND");
  };
  await using shop = await openPage({
    head: `<link rel="preload" href="${service.url}/embed-config?botId=acme&amp;locale=" as="fetch" crossorigin>
      <script>window.Parley = [(parley) => parley.on("error", () => { window.over = true })];
        new MutationObserver(() => { window.seen ||= document.querySelector("parley-chat") !== null })
          .observe(document, { childList: true, subtree: true })</script>`,
  });
  await shop.page.waitForFunction(() => "over" in window);
  expect(await shop.page.evaluate(() => (window as unknown as { seen: boolean }).seen)).toBe(false);
  expect(asked).toBe(1);
});

test("10,000 messages: only the last are drawn, earlier ones on demand, and nothing moves", async () => {
  await using shop = await openPage();
  await shop.open();
  await shop.say("Hello");
  await shop.log.getByText("It is on its way.").waitFor();
  await shop.page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem("parley:acme")!);
    kept.messages = Array.from({ length: 10_000 }, (_, at) => ({
      id: `m${at}`,
      role: at % 2 ? "bot" : "visitor",
      text: `Message ${at}`,
      at,
    }));
    localStorage.setItem("parley:acme", JSON.stringify(kept));
  });
  await shop.reload();
  await shop.open();
  expect(await shop.log.locator("> *").count()).toBe(60);
  await shop.log.getByText("Message 9999").waitFor();
  const scroll = shop.page.locator(".scroll");
  await scroll.evaluate((box) => (box.scrollTop = 0));
  const first = shop.log.getByText("Message 9940", { exact: true });
  const before = (await first.boundingBox())!.y;
  await shop.page.getByRole("button", { name: "Show earlier messages" }).press("Enter");
  await shop.log.getByText("Message 9880").waitFor({ state: "attached" });
  expect(Math.abs((await first.boundingBox())!.y - before)).toBeLessThan(2);
  const redrawn = await shop.log.evaluate(async (log) => {
    let nodes = 0;
    const watch = new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes) nodes += addedNodes.length + removedNodes.length;
    });
    watch.observe(log, { childList: true, subtree: true });
    (window.Parley as { send: (text: string) => void }).send("Still there?");
    while (nodes === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
    watch.disconnect();
    return nodes;
  });
  // The new message and its signs of waiting: nothing of the 120 before.
  expect(redrawn).toBeWithin(1, 20);
});

test("very long words and wide tables scroll in themselves, at 320 px", async () => {
  service.chat = () =>
    answer(
      `${"Donaudampfschiff".repeat(40)}\n\n| a | b |\n|---|---|\n| ${"wide ".repeat(1)}${"w".repeat(90)} | ${"x".repeat(90)} |\n\n\`\`\`\n${"code ".repeat(60)}\n\`\`\``,
    );
  await using shop = await openPage({ context: { viewport: { width: 320, height: 600 } } });
  await shop.open();
  await shop.say("l".repeat(300));
  await shop.log.locator("table").waitFor();
  const overflow = await shop.page.evaluate(() => {
    const root = document.querySelector("parley-chat")!.shadowRoot!;
    const scroll = root.querySelector(".scroll")!;
    return [scroll.scrollWidth - scroll.clientWidth, document.documentElement.scrollWidth - innerWidth];
  });
  expect(overflow).toEqual([0, 0]);
});
