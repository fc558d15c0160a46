import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { ParleyApi } from "../../src/widget/public.d.ts";
import { embed, withoutSecureContext } from "../support/browser.ts";
import { answer, type MockService, problem, startMockService, stream } from "../support/mock-service.ts";

setDefaultTimeout(120_000);

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
beforeEach(() => {
  service.calls.length = 0;
  service.config = () => ({});
  service.chat = ({ body }) => answer(`You said ${body.input}.`);
});
afterAll(() => service[Symbol.asyncDispose]());

const openPage = (options = {}) => embed({ serviceUrl: service.url, ...options });
const PHONE = { viewport: { width: 390, height: 780 } };

describe("the conversation", () => {
  test("outlives a page load and goes on under its id", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    await shop.reload();
    await shop.open();
    await shop.log.getByText("You said one.").waitFor();
    await shop.say("two");
    await shop.log.getByText("You said two.").waitFor();
    expect(service.calls.map(({ body }) => body.conversationId)).toEqual([undefined, "cv_mock"]);
  });

  test("is possible on a page that is served over http", async () => {
    await using shop = await openPage({ prepare: withoutSecureContext });
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    expect(await shop.page.evaluate(() => "randomUUID" in crypto)).toBe(false);
  });

  test("shows in another tab what was said in this one", async () => {
    await using shop = await openPage();
    await shop.open();
    const other = await shop.page.context().newPage();
    await other.goto(shop.url);
    await other.locator("parley-chat .launcher").click();
    await other.locator("parley-chat textarea").waitFor();
    await shop.say("one");
    await other.locator("parley-chat [role=log]").getByText("You said one.").waitFor();
  });

  test("an answer that a page load cut off is fetched again under the same key", async () => {
    let release = () => {};
    service.chat = () => new Promise((resolve) => (release = () => resolve(answer("Late, but here."))));
    await using shop = await openPage();
    await shop.open();
    await shop.say("one");
    await shop.page.locator(".typing").waitFor();
    service.chat = () => answer("Late, but here.");
    await shop.reload();
    await shop.open();
    await shop.log.getByText("Late, but here.").waitFor();
    release();
    expect(service.calls).toHaveLength(2);
    expect(service.calls[0]!.idempotencyKey).toBe(service.calls[1]!.idempotencyKey);
  });

  test("is forgotten a day after the last message, even if the panel is never opened", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    expect(await shop.page.evaluate(() => localStorage.getItem("parley:acme"))).toContain("You said one.");
    await shop.page.evaluate(() => {
      const stored = JSON.parse(localStorage.getItem("parley:acme")!) as { expiresAt: number };
      localStorage.setItem("parley:acme", JSON.stringify({ ...stored, expiresAt: Date.now() - 1 }));
    });
    await shop.reload();
    await shop.page.waitForFunction(() => localStorage.getItem("parley:acme") === null);
  });

  test("is wiped by New conversation", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    await shop.page.getByRole("button", { name: "New conversation" }).click();
    expect(await shop.page.evaluate(() => localStorage.length)).toBe(0);
    expect(await shop.log.locator("> *").count()).toBe(0);
    await shop.say("two");
    await shop.log.getByText("You said two.").waitFor();
    expect(service.calls[1]!.body.conversationId).toBeUndefined();
  });

  test.each([
    ["none", 0, 0],
    ["session", 0, 1],
    ["local", 1, 0],
  ])("data-persist=%s keeps it in %d local and %d session items", async (persist, local, session) => {
    await using shop = await openPage({ attributes: `data-persist="${persist}"` });
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    expect(await shop.page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([
      local,
      session,
    ]);
  });

  test("works where the browser forbids storage", async () => {
    await using shop = await openPage({
      head: `<script>Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError") } })</script>`,
    });
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    expect(shop.troubles).toEqual([]);
  });

  test("what came of a stopped stream is kept, and marked", async () => {
    service.chat = () => stream(["Some of ", "it", "."], { pauseMs: 200 });
    await using shop = await openPage();
    await shop.open();
    await shop.say("one");
    await shop.page.locator(".answer[aria-hidden]").getByText("Some of").waitFor();
    await shop.page.getByRole("button", { name: "Stop answering" }).click();
    await shop.log.getByText("Some of").waitFor();
    await shop.log.getByText("Stopped.").waitFor();
  });
});

describe("the API", () => {
  test("runs what was queued before the script had loaded", async () => {
    await using shop = await openPage({
      head: `<script>window.heard = []; window.Parley = [["open"], ["send", "queued"],
        (parley) => { for (const name of ["ready", "open", "message"]) parley.on(name, (event) => heard.push([name, event?.text])) }]</script>`,
    });
    await shop.log.getByText("You said queued.").waitFor();
    const heard = await shop.page.evaluate(() => (window as unknown as { heard: unknown[] }).heard);
    expect(heard).toEqual([
      ["ready", undefined],
      ["message", "queued"],
      ["message", "You said queued."],
    ]);
  });

  test("opens, closes, toggles, resets, reports and stops reporting", async () => {
    service.chat = () => answer("No.", { capabilityAllowed: false, enforcementReason: "DENY_LIST" });
    await using shop = await openPage();
    await shop.launcher.waitFor();
    const events = await shop.page.evaluate(async () => {
      const parley = window.Parley as ParleyApi;
      const heard: string[] = [];
      for (const name of ["open", "close", "restricted", "error"] as const)
        parley.on(name, () => heard.push(name));
      parley.on("open", () => heard.push("not after this"))();
      parley.open();
      parley.close();
      parley.toggle();
      await new Promise<void>((resolve) => {
        parley.on("restricted", () => resolve());
        parley.send("x");
      });
      parley.reset();
      return heard;
    });
    expect(events).toEqual(["open", "close", "open", "restricted"]);
    await shop.page.waitForFunction(() => localStorage.length === 0);
  });

  test("a listener that throws harms nobody else", async () => {
    await using shop = await openPage();
    await shop.launcher.waitFor();
    await shop.page.evaluate(() => {
      (window.Parley as ParleyApi).on("message", () => {
        throw new Error("the page's own fault");
      });
    });
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    expect(shop.troubles).toContain("the page's own fault");
  });

  test("errors of the service are events with code and request id", async () => {
    service.chat = () => problem(500, "INTERNAL_ERROR");
    await using shop = await openPage();
    await shop.launcher.waitFor();
    const error = await shop.page.evaluate(
      () =>
        new Promise((resolve) => {
          (window.Parley as ParleyApi).on("error", resolve);
          (window.Parley as ParleyApi).send("x");
        }),
    );
    expect(error).toMatchObject({ code: "INTERNAL_ERROR", requestId: "rq_mock00000000000000000000001" });
  });
});

describe("the page", () => {
  test("a second script tag mounts nothing, and after destroy() a new one does", async () => {
    await using shop = await openPage();
    await shop.launcher.waitFor();
    const again = () =>
      shop.page.evaluate(async () => {
        const first = document.querySelector<HTMLScriptElement>("script[data-bot-id]")!;
        const script = document.createElement("script");
        Object.assign(script.dataset, first.dataset);
        script.src = `${first.src}?again`;
        await new Promise((resolve) => {
          script.addEventListener("load", resolve);
          document.body.append(script);
        });
        return document.querySelectorAll("parley-chat").length;
      });
    expect(await again()).toBe(1);
    await shop.page.evaluate(() => (window.Parley as ParleyApi).destroy());
    expect(await shop.page.locator("parley-chat").count()).toBe(0);
    expect(await again()).toBe(1);
    await shop.open();
  });

  test("may replace its body, and may throw the widget out, without losing it", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    await shop.page.evaluate(() => {
      document.body = document.createElement("body");
      document.querySelector("parley-chat")!.remove();
    });
    await shop.log.getByText("You said one.").waitFor();
    await shop.say("two");
    await shop.log.getByText("You said two.").waitFor();
  });

  test("may hold the panel inline, in a container that comes late and comes back", async () => {
    await using shop = await openPage({ attributes: 'data-container="#chat"' });
    await shop.page.evaluate(() => {
      document.querySelector("main")!.innerHTML = '<div id="chat" style="width:500px;height:500px"></div>';
    });
    await shop.input.waitFor();
    const box = (await shop.panel.boundingBox())!;
    expect([box.width, box.height]).toEqual([500, 500]);
    expect(await shop.launcher.count()).toBe(0);
    expect(await shop.page.getByRole("button", { name: "Close chat" }).count()).toBe(0);
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    await shop.page.evaluate(() => {
      document.querySelector("main")!.innerHTML = '<section id="chat"></section>';
    });
    await shop.log.getByText("You said one.").waitFor();
  });

  test("decides by attributes: opened at once without taking the focus, at the start, on its own layer", async () => {
    await using shop = await openPage({ attributes: 'data-open data-position="start" data-z-index="77"' });
    await shop.input.waitFor();
    expect((await shop.panel.boundingBox())!.x).toBe(20);
    expect((await shop.launcher.boundingBox())!.x).toBe(20);
    expect(await shop.page.evaluate(() => document.activeElement?.localName)).toBe("body");
    expect(await shop.page.locator("parley-chat").evaluate((host) => getComputedStyle(host).zIndex)).toBe(
      "77",
    );
  });

  test("read from right to left has launcher and panel on its left", async () => {
    await using shop = await openPage({ root: 'lang="ar" dir="rtl"' });
    await shop.open();
    await shop.page.mouse.move(900, 100);
    expect((await shop.launcher.boundingBox())!.x).toBe(20);
    expect((await shop.panel.boundingBox())!.x).toBe(20);
    await shop.page.getByRole("button", { name: "إغلاق الدردشة" }).waitFor();
    await shop.say("مرحبا");
    const question = (await shop.page.locator(".question").boundingBox())!;
    expect(question.x).toBeLessThan(60);
  });

  test.each([
    ["de", "Nachricht schreiben …"],
    ["fr-CA", "Écrivez un message…"],
    ["es", "Escribe un mensaje…"],
    ["it", "Scrivi un messaggio…"],
    ["pt-BR", "Escreva uma mensagem…"],
    ["nl", "Schrijf een bericht…"],
    ["pl", "Napisz wiadomość…"],
    ["tr", "Bir mesaj yazın…"],
    ["ar", "اكتب رسالة…"],
    ["ja", "メッセージを入力…"],
    ["zh-Hans-CN", "输入消息…"],
    ["sv", "Write a message…"],
  ])("speaks the language of its page: %s", async (lang, placeholder) => {
    await using shop = await openPage({ root: `lang="${lang}"`, attributes: "data-open" });
    await shop.page.getByPlaceholder(placeholder, { exact: true }).waitFor();
  });

  test("is told its language and wording by the site owner", async () => {
    await using shop = await openPage({
      attributes: `data-locale="de" data-strings='{"placeholder":"Was gibt es?"}'`,
    });
    await shop.open();
    await shop.page.getByPlaceholder("Was gibt es?").waitFor();
    await shop.page.getByRole("button", { name: "Chat schließen" }).waitFor();
  });

  test("shows a bot whose settings were preloaded in its own colours at once", async () => {
    service.config = () => ({ theme: { primaryColor: "#1b5e4b" } });
    await using shop = await openPage({
      head: `<link rel="preload" href="${service.url}/embed-config?botId=acme&amp;locale=" as="fetch" crossorigin>
        <script>new MutationObserver(() => {
          const launcher = document.querySelector("parley-chat")?.shadowRoot.querySelector(".launcher");
          if (launcher) window.firstColour ??= getComputedStyle(launcher).backgroundColor;
        }).observe(document, { childList: true, subtree: true })</script>`,
    });
    await shop.launcher.waitFor();
    const colour = () => (window as unknown as { firstColour: string }).firstColour;
    expect(await shop.page.evaluate(colour)).toBe("rgb(27, 94, 75)");
  });

  test("waits quietly for a service that is away, and shows the bubble when it is back", async () => {
    let away = true;
    service.config = () => (away ? problem(503, "STORAGE_UNAVAILABLE") : {});
    await using shop = await openPage();
    await shop.page.waitForFunction(() => window.Parley !== undefined);
    await shop.page.waitForFunction(() => document.querySelector("parley-chat") === null);
    away = false;
    await shop.launcher.waitFor();
  });

  test("loads the panel only when its visitor does something", async () => {
    await using shop = await openPage();
    const loaded: string[] = [];
    shop.page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await shop.launcher.waitFor();
    await Bun.sleep(400);
    expect(loaded.filter((path) => path.includes("panel"))).toEqual([]);
    await shop.page.mouse.move(30, 30);
    await shop.page.waitForResponse(/panel-en-\w+\.js/);
    await shop.open();
    expect(loaded.filter((path) => path.includes("panel"))).toHaveLength(1);
  });
});

describe("on a phone", () => {
  test("the panel fills the screen by its width alone, with an input of 16 px", async () => {
    await using shop = await openPage({ context: PHONE });
    await shop.open();
    const box = (await shop.panel.boundingBox())!;
    expect([box.x, box.y, box.width, box.height]).toEqual([0, 0, 390, 780]);
    expect(await shop.launcher.isVisible()).toBe(false);
    expect(await shop.input.evaluate((input) => getComputedStyle(input).fontSize)).toBe("16px");
    await shop.page.getByRole("button", { name: "Close chat" }).click();
    expect(await shop.panel.isVisible()).toBe(false);
  });

  test("the keyboard leaves room: the panel has the size and place of the visual viewport", async () => {
    await using shop = await openPage({ context: PHONE });
    await shop.open();
    await shop.page.evaluate(() => {
      Object.defineProperties(visualViewport!, {
        height: { value: 380, configurable: true },
        offsetTop: { value: 24, configurable: true },
      });
      visualViewport!.dispatchEvent(new Event("resize"));
    });
    const box = (await shop.panel.boundingBox())!;
    expect([box.y, box.height]).toEqual([24, 380]);
    const composer = (await shop.input.boundingBox())!;
    expect(composer.y + composer.height).toBeLessThan(404);
  });

  test("in landscape too, and the page is where it was afterwards", async () => {
    await using shop = await openPage({
      context: { viewport: { width: 780, height: 360 } },
      body: '<div style="height: 4000px"></div>',
    });
    await shop.launcher.waitFor();
    await shop.page.evaluate(() => scrollTo(0, 1234));
    await shop.open();
    expect((await shop.panel.boundingBox())!.height).toBe(360);
    await shop.page.evaluate(() => scrollTo(0, 50));
    await shop.page.getByRole("button", { name: "Close chat" }).click();
    expect(await shop.page.evaluate(() => scrollY)).toBe(1234);
  });
});

test("prints the conversation, and none of its controls", async () => {
  await using shop = await openPage();
  await shop.open();
  await shop.say("one");
  await shop.log.getByText("You said one.").waitFor();
  await shop.page.emulateMedia({ media: "print" });
  expect(await shop.log.getByText("You said one.").isVisible()).toBe(true);
  expect(await shop.launcher.isVisible()).toBe(false);
  expect(await shop.input.isVisible()).toBe(false);
  expect(await shop.panel.evaluate((panel) => getComputedStyle(panel).position)).toBe("static");
});

test("a long answer is read from its beginning, and the end is one button away", async () => {
  service.chat = () => answer("A paragraph.\n\n".repeat(60));
  await using shop = await openPage();
  await shop.open();
  await shop.say("Tell me everything");
  await shop.log.locator("p").nth(59).waitFor();
  const question = (await shop.page.locator(".question").boundingBox())!;
  const scroll = (await shop.page.locator(".scroll").boundingBox())!;
  expect(question.y - scroll.y).toBeGreaterThanOrEqual(0);
  expect(question.y - scroll.y).toBeLessThan(40);
  await shop.page.getByRole("button", { name: "Go to the latest message" }).click();
  const left = await shop.page
    .locator(".scroll")
    .evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  expect(left).toBeLessThan(2);
});

describe("templates", () => {
  const templated = (id: string, bundleUrl = `templates/${id}.js`, idleSeconds = 60) => {
    service.config = () => ({
      template: { id, bundleUrl, options: { idleResetSeconds: idleSeconds } },
      suggestedQuestions: [{ id: "a", text: "Opening hours?", order: 1 }],
    });
  };

  test("kiosk: asks, answers, and forgets when nobody is there any more", async () => {
    templated("kiosk", undefined, 1);
    await using shop = await openPage();
    await shop.launcher.click();
    await shop.page.getByRole("button", { name: "Opening hours?" }).click();
    await shop.log.getByText("You said Opening hours?.").waitFor();
    await shop.page.locator(".powered").getByText("Powered by Parley").waitFor();
    await shop.page.getByRole("button", { name: "Opening hours?" }).waitFor();
    expect(await shop.page.evaluate(() => localStorage.length)).toBe(0);
  });

  test("kiosk: an answer that is data becomes a card with names for its parts", async () => {
    templated("kiosk");
    service.chat = () => answer('{"title":"City Hall","place":{"floor":1},"qr":"https://city.test/"}');
    await using shop = await openPage();
    await shop.launcher.click();
    await shop.page.getByRole("button", { name: "Opening hours?" }).click();
    await shop.log.getByRole("heading", { name: "City Hall" }).waitFor();
    expect(await shop.log.locator("dt").allInnerTexts()).toEqual(["Floor", "QR"]);
    const code = (await shop.log.locator(".kiosk-qr svg").boundingBox())!;
    expect(Math.min(code.width, code.height)).toBeGreaterThan(100);
    // 21 modules and four more for each version, with a quiet zone of four on each side.
    const modules = await shop.log.locator(".kiosk-qr svg").getAttribute("viewBox");
    expect((Number(modules?.split(" ")[2]) - 8 - 21) % 4).toBe(0);
    await shop.log.getByText("https://city.test/").waitFor();
    const close = (await shop.panel.getByRole("button", { name: "Close chat" }).boundingBox())!;
    expect((await shop.log.boundingBox())!.y).toBeGreaterThanOrEqual(close.y + close.height);
  });

  test("kiosk: what the bot offers are buttons, and none of them may be meant", async () => {
    templated("kiosk");
    const suggestions = ["Passports", "Events"].map((label) => ({ intent: label.toLowerCase(), label }));
    service.chat = () =>
      answer("Did you mean: Passports or Events?", {
        capabilityAllowed: false,
        enforcementReason: "no_intent_match",
        suggestions,
      });
    await using shop = await openPage();
    await shop.launcher.click();
    await shop.page.getByRole("button", { name: "Opening hours?" }).click();
    await shop.log.getByRole("button", { name: "None of these" }).waitFor();
    expect(await shop.log.locator(".kiosk-questions button").allTextContents()).toEqual([
      "Passports",
      "Events",
      "None of these",
    ]);
  });

  test("kiosk: too many messages are counted down and sent; one that failed can be sent again", async () => {
    templated("kiosk");
    let refusal: Response | undefined = problem(429, "RATE_LIMITED", { "Retry-After": "2" });
    service.chat = ({ body }) => refusal ?? answer(`You said ${body.input}.`);
    await using shop = await openPage();
    await shop.launcher.click();
    await shop.page.getByRole("button", { name: "Opening hours?" }).click();
    await shop.page.getByRole("status").getByText("This will be sent in 2 sec.").waitFor();
    refusal = problem(503, "STORAGE_UNAVAILABLE");
    await shop.page.getByRole("status").getByText("Something went wrong on our side.").waitFor();
    refusal = undefined;
    await shop.page.getByRole("button", { name: "Try again" }).click();
    await shop.log.getByText("You said Opening hours?.").waitFor();
    expect(service.calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      Array.from({ length: 3 }, () => service.calls[0]!.idempotencyKey),
    );
  });

  test("minimal: a whole conversation in under 40 lines", async () => {
    const source = await Bun.file(`${import.meta.dir}/../../src/widget/templates/minimal.js`).text();
    expect(source.trim().split("\n").length).toBeLessThan(40);
    templated("minimal");
    await using shop = await openPage();
    await shop.launcher.click();
    await shop.page.locator("parley-chat input").fill("one");
    await shop.page.locator("parley-chat input").press("Enter");
    await shop.log.getByText("You said one.").waitFor();
  });

  test.each(["kiosk", "minimal"])("%s: closes on a phone, by a named button of finger size", async (id) => {
    templated(id);
    await using shop = await openPage({ context: { viewport: { width: 390, height: 844 } } });
    await shop.launcher.click();
    const close = shop.panel.getByRole("button", { name: "Close chat" });
    const { width, height } = (await close.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    expect(await shop.launcher.isVisible()).toBe(false);
    await close.focus();
    await shop.page.keyboard.press("Enter");
    await shop.panel.waitFor({ state: "hidden" });
    await shop.launcher.waitFor();
  });

  test.each(["kiosk", "minimal"])("%s: offers no way out of the page it stands in", async (id) => {
    templated(id);
    await using shop = await openPage({
      attributes: 'data-container="#chat"',
      body: '<div id="chat" style="height: 600px"></div>',
    });
    await shop.panel.getByRole("button", { name: "Send" }).waitFor();
    expect(await shop.panel.getByRole("button", { name: "Close chat" }).isVisible()).toBe(false);
  });

  test.each(["kiosk", "minimal"])("%s: draws the Markdown of the welcome message", async (id) => {
    service.config = () => ({
      welcomeMessage: "Hello. **Call 911.**",
      template: { id, bundleUrl: `templates/${id}.js` },
    });
    await using shop = await openPage();
    await shop.launcher.click();
    await shop.panel.locator("strong", { hasText: /^Call 911\.$/ }).waitFor();
    expect(await shop.panel.textContent()).not.toContain("*");
  });

  test.each(["kiosk", "minimal"])("%s: opened by the keyboard, it waits for a message", async (id) => {
    templated(id);
    await using shop = await openPage();
    await shop.launcher.press("Enter");
    await shop.panel.locator("input:focus").waitFor();
  });

  test.each([
    ["is not there", "templates/none.js"],
    ["throws", "data:text/javascript,export default () => { throw new Error('mine') }"],
    ["exports nothing", "data:text/javascript,export const x = 1"],
  ])("one that %s gives way to the panel, and the console says why", async (_, bundleUrl) => {
    templated("broken", bundleUrl);
    await using shop = await openPage();
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    expect(shop.troubles.join("\n")).toContain(
      '[parley] template "broken" failed; showing the default panel',
    );
  });
});
