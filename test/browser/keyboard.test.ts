import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { embed, type EmbeddedPage } from "../support/browser.ts";
import { answer, type MockService, problem, startMockService, stream } from "../support/mock-service.ts";

setDefaultTimeout(120_000);

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
beforeEach(() => {
  service.config = () => ({ suggestedQuestions: [{ id: "a", text: "Where is my order?", order: 1 }] });
  service.chat = () => answer("On its way.");
});
afterAll(() => service[Symbol.asyncDispose]());

const openPage = (options = {}) =>
  embed({ serviceUrl: service.url, body: '<a id="before" href="#">before</a>', ...options });

/** Name of what has the focus, inside the widget's shadow tree or outside. */
function focused({ page }: EmbeddedPage): Promise<string> {
  return page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.ariaLabel ?? active?.textContent ?? "";
  });
}

test("a whole conversation without a mouse", async () => {
  await using shop = await openPage();
  await shop.page.getByRole("button", { name: "Chat: Acme Support" }).waitFor();
  await shop.page.locator("#before").focus();
  await shop.page.keyboard.press("Tab");
  expect(await focused(shop)).toBe("Chat: Acme Support");
  await shop.page.keyboard.press("Enter");
  await shop.input.waitFor();
  await shop.page.waitForFunction(
    () => document.querySelector("parley-chat")!.shadowRoot!.activeElement?.localName === "textarea",
  );
  expect(await focused(shop)).toBe("Message to Acme Support");
  await shop.page.keyboard.press("Shift+Tab");
  expect(await focused(shop)).toBe("Where is my order?");
  await shop.page.keyboard.press("Enter");
  await shop.log.getByText("On its way.").waitFor();
  expect(await focused(shop)).toBe("Message to Acme Support");
  await shop.page.keyboard.type("And now?");
  await shop.page.keyboard.press("Shift+Enter");
  await shop.page.keyboard.type("Really?");
  await shop.page.keyboard.press("Enter");
  await shop.log.getByText("And now?").waitFor();
  // An answer that came after the panel was closed would stand in the button's name as unread.
  await shop.log.getByText("On its way.").nth(1).waitFor();
  expect(service.calls.at(-1)!.body.input).toBe("And now?\nReally?");
  await shop.page.keyboard.press("Escape");
  expect(await shop.panel.isVisible()).toBe(false);
  expect(await focused(shop)).toBe("Chat: Acme Support");
});

test("Tab walks through every control of the open panel, and each is large enough", async () => {
  await using shop = await openPage();
  await shop.open();
  await shop.say("Hello");
  await shop.log.getByText("On its way.").waitFor();
  await shop.page.getByRole("button", { name: "Not helpful" }).waitFor();
  await shop.launcher.focus();
  const names: string[] = [];
  for (let step = 0; step < 8; step += 1) {
    await shop.page.keyboard.press("Tab");
    names.push(await focused(shop));
  }
  expect(names).toEqual([
    "New conversation",
    "Close chat",
    "Conversation",
    "Copy",
    "Helpful",
    "Not helpful",
    "Message to Acme Support",
    "Send",
  ]);
  for (const control of await shop.page.locator("parley-chat button").all()) {
    const box = (await control.boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
  }
});

test("on a phone the Tab key stays in the panel that fills the screen", async () => {
  await using shop = await openPage({ context: { viewport: { width: 360, height: 700 } } });
  await shop.open();
  const names: string[] = [];
  for (let step = 0; step < 5; step += 1) {
    await shop.page.keyboard.press("Tab");
    names.push(await focused(shop));
  }
  expect(names).toEqual([
    "Send",
    "Close chat",
    "Conversation",
    "Where is my order?",
    "Message to Acme Support",
  ]);
});

test("the focus stays in the input while an answer comes, is stopped, fails or is retried", async () => {
  await using shop = await openPage();
  await shop.open();
  service.chat = () => stream(["a", "b", "c"], { pauseMs: 3000 });
  await shop.say("One");
  expect(await focused(shop)).toBe("Message to Acme Support");
  await shop.page.getByRole("button", { name: "Stop answering" }).press("Enter");
  await shop.log.getByText("Stopped.").waitFor();
  expect(await focused(shop)).toBe("Message to Acme Support");
  service.chat = () => problem(500, "INTERNAL_ERROR");
  await shop.say("Two");
  await shop.page.getByRole("alert").waitFor();
  service.chat = () => answer("Fine.");
  await shop.page.getByRole("button", { name: "Try again" }).press("Enter");
  await shop.log.getByText("Fine.").waitFor();
  expect(await focused(shop)).toBe("Message to Acme Support");
});

test("Enter that ends an IME composition sends nothing", async () => {
  await using shop = await openPage();
  await shop.open();
  await shop.input.fill("にほん");
  await shop.input.evaluate((input) => {
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
      input.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true, ...init }),
      );
    }
  });
  expect(await shop.input.inputValue()).toBe("にほん");
});

test("typing in the widget never reaches the page's own shortcuts", async () => {
  await using shop = await openPage();
  await shop.page.evaluate(() => {
    document.addEventListener("keydown", (event) => (document.title += event.key));
  });
  await shop.open();
  await shop.page.keyboard.type("/k");
  expect(await shop.page.title()).toBe("A shop");
  expect(await shop.input.inputValue()).toBe("/k");
});

/** Everything that a screen reader would be told, by the live regions and alerts that change. */
async function listen({ page }: EmbeddedPage): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(document, { heard });
    const root = document.querySelector("parley-chat")!.shadowRoot!;
    const regionOf = (node: Node | null): Element | undefined => {
      const element = node instanceof Element ? node : node?.parentElement;
      if (element?.closest("[aria-hidden=true]")) return undefined;
      const region = element?.closest("[role=log], [role=status], [role=alert]");
      return region?.getAttribute("aria-live") === "off" ? undefined : (region ?? undefined);
    };
    new MutationObserver((records) => {
      for (const { target, addedNodes, type } of records) {
        if (type === "characterData" && target.textContent && regionOf(target))
          heard.push(target.textContent);
        for (const node of addedNodes) {
          const inside = regionOf(node) ?? (node instanceof Element && node.querySelector("[role=alert]"));
          if (inside && node.textContent) heard.push(node.textContent);
        }
      }
    }).observe(root, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (document as unknown as { heard: string[] }).heard);
}

test("each answer is announced once and whole, also when it was streamed", async () => {
  await using shop = await openPage();
  await shop.open();
  await shop.page.getByRole("status").getByText("Hi! I'm Acme Support.").waitFor({ state: "attached" });
  const heard = await listen(shop);
  service.chat = () => stream(["It is ", "on ", "its way."], { pauseMs: 60 });
  await shop.say("Where?");
  await shop.log.getByText("It is on its way.").waitFor();
  const said = (await heard()).map((text) => text.replace(/\d+:\d+\s[AP]M$/, ""));
  expect(said).toEqual(["You: Where?", "Acme Support is writing", "Acme Support: It is on its way."]);
});

test("a screen reader hears the greeting, what may be asked, and an answer that comes while the panel is closed", async () => {
  await using shop = await openPage();
  await shop.launcher.waitFor();
  const heard = await listen(shop);
  await shop.open();
  const status = shop.page.getByRole("status");
  await status.getByText("Acme Support: Hi! I'm Acme Support.").waitFor({ state: "attached" });
  expect((await heard()).join("\n")).toContain(
    "How can I help? You are chatting with an automated assistant. Suggested questions: Where is my order?",
  );
  expect(await shop.page.getByRole("banner").count()).toBe(0);
  await shop.page.getByRole("button", { name: "Close chat" }).click();
  await shop.page.evaluate(() => (window.Parley as { send: (text: string) => void }).send("Hello"));
  const unread = shop.page.getByText("New message from Acme Support: On its way.");
  await unread.waitFor({ state: "attached" });
  expect(await unread.evaluate((node) => [node.role, node.closest(".panel")])).toEqual(["status", null]);
  await shop.open();
  expect(await unread.count()).toBe(0);
});

test("the focus stays in the conversation when its beginning has been shown", async () => {
  await using shop = await openPage();
  await shop.open();
  await shop.say("Hello");
  await shop.log.getByText("On its way.").waitFor();
  await shop.page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem("parley:acme")!);
    kept.messages = Array.from({ length: 70 }, (_, at) => ({
      id: `m${at}`,
      role: at % 2 ? "bot" : "visitor",
      text: `Message ${at}`,
      at: Date.now(),
    }));
    localStorage.setItem("parley:acme", JSON.stringify(kept));
  });
  await shop.reload();
  await shop.open();
  await shop.page.getByRole("button", { name: "Show earlier messages" }).press("Enter");
  await shop.log.getByText("Message 0", { exact: true }).waitFor({ state: "attached" });
  expect(await focused(shop)).toBe("Conversation");
});

test("a countdown is heard at its start and at its end, an error as an alert", async () => {
  let status = 429;
  service.chat = () =>
    status === 429 ? problem(429, "RATE_LIMITED", { "Retry-After": "3" }) : problem(500, "INTERNAL_ERROR");
  await using shop = await openPage();
  await shop.page.clock.install();
  await shop.open();
  const heard = await listen(shop);
  await shop.say("Hello");
  await shop.page.locator(".countdown").waitFor();
  await shop.page.clock.runFor(2000);
  status = 500;
  await shop.page.clock.runFor(2000);
  await shop.page.getByRole("alert").waitFor();
  const said = await heard();
  expect(said.filter((text) => text.includes("3 sec"))).toEqual(["This will be sent in 3 sec."]);
  expect(said).toContain("You can send again now.");
  expect(said.filter((text) => /\b[12] sec/.test(text))).toEqual([]);
  expect(said.filter((text) => text.includes("Something went wrong"))).toHaveLength(1);
});
