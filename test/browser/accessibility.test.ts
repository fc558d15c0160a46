import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { AxeBuilder } from "@axe-core/playwright";

import { describePart, usualTest } from "../support/axe-matrix.ts";
import { embed, type EmbeddedPage } from "../support/browser.ts";
import {
  answer,
  type ChatCall,
  type MockService,
  problem,
  startMockService,
  stream,
} from "../support/mock-service.ts";

setDefaultTimeout(120_000);

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
  service.config = (botId) => ({
    suggestedQuestions: [
      { id: "a", text: "Where is my order?", order: 1 },
      { id: "b", text: "What does shipping cost?", order: 2 },
    ],
    suggestedQuestionsStyle: botId === "cards" ? "message_box" : "pills",
    theme: { primaryColor: "#ffb300" },
    ...(botId === "kiosk" ? { template: { id: "kiosk", bundleUrl: "templates/kiosk.js" } } : {}),
  });
  service.chat = reply;
});
afterAll(() => service[Symbol.asyncDispose]());

const RICH = `# Your order

It is **on its way**, *really*: \`4711\`, see [tracking](https://example.com) or ![map](https://example.com/m.png).

1. One
2. Two
   - deeper

> quoted

| Item | Qty |
|---|---|
| Shirt | 1 |

\`\`\`
code
\`\`\``;

function reply({ body }: ChatCall): Response | Promise<Response> {
  switch (body.input) {
    case "restricted":
      return answer("That is not for a bot to do.", {
        capabilityAllowed: false,
        enforcementReason: "DENY_LIST",
      });
    case "limited":
      return problem(429, "RATE_LIMITED", { "Retry-After": "60" });
    case "capped":
      return problem(429, "MESSAGE_CAP_EXCEEDED", { "Retry-After": "86400" });
    case "failed":
      return problem(500, "INTERNAL_ERROR");
    case "rejected":
      return problem(400, "INVALID_REQUEST");
    case "typing":
      return new Promise<Response>(() => {});
    case "streaming":
      return stream(["Some **text** ", "and more"], { pauseMs: 50, last: "cut" });
    default:
      return answer(RICH);
  }
}

interface State {
  name: string;
  botId?: string;
  reach: (shop: EmbeddedPage) => Promise<void>;
}

function saying(text: string, selector: string): State {
  return {
    name: text,
    async reach(shop) {
      await shop.open();
      await shop.say("hello");
      await shop.log.locator("table").waitFor();
      await shop.say(text);
      await shop.page.locator(`parley-chat ${selector}`).first().waitFor();
    },
  };
}

const STATES: readonly State[] = [
  { name: "closed", reach: ({ launcher }) => launcher.waitFor() },
  {
    name: "unread",
    async reach({ page }) {
      await page.evaluate(() => (window.Parley as { send: (text: string) => void }).send("hello"));
      await page.locator(".badge:not([data-n=''])").waitFor();
    },
  },
  { name: "welcome with pills", reach: (shop) => shop.open() },
  { name: "welcome with message box", botId: "cards", reach: (shop) => shop.open() },
  {
    name: "the kiosk template",
    botId: "kiosk",
    async reach({ launcher, page, log }) {
      await launcher.click();
      await page.getByRole("button", { name: "Where is my order?" }).click();
      await log.locator("table").waitFor();
    },
  },
  saying("answered", ".answer table"),
  saying("restricted", ".restricted"),
  saying("limited", ".countdown"),
  saying("capped", ".cap"),
  saying("failed", ".failure"),
  saying("rejected", ".failure"),
  saying("typing", ".typing"),
  saying("streaming", ".answer .aside"),
];

const ROOTS = { LTR: 'lang="en"', RTL: 'lang="ar" dir="rtl"' };

async function violations({ page }: EmbeddedPage): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
}

/** Each value of each dimension is in one of them. */
const USUAL = new Set(["light, LTR, 1280 px", "dark, RTL, 360 px"]);

for (const colorScheme of ["light", "dark"] as const) {
  for (const [direction, root] of Object.entries(ROOTS)) {
    for (const width of [360, 1280]) {
      const part = `${colorScheme}, ${direction}, ${width} px`;
      describePart(USUAL.has(part))(`axe finds nothing, ${part}:`, () => {
        test.each(STATES)("$name", async ({ botId = "acme", reach }) => {
          await using shop = await embed({
            serviceUrl: service.url,
            botId,
            root,
            head: "<style>@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style>",
            context: { colorScheme, viewport: { width, height: 780 } },
          });
          await reach(shop);
          expect(await violations(shop)).toEqual([]);
        });
      });
    }
  }
}

usualTest("no animation runs where motion is to be reduced", async () => {
  await using shop = await embed({ serviceUrl: service.url, context: { reducedMotion: "reduce" } });
  await shop.open();
  await shop.say("typing");
  await shop.page.locator(".typing").waitFor();
  expect(
    await shop.page.evaluate(() => document.querySelector("parley-chat")!.shadowRoot!.getAnimations().length),
  ).toBe(0);
});

usualTest("with forced colours the launcher, the input and the buttons keep an outline", async () => {
  await using shop = await embed({ serviceUrl: service.url, context: { forcedColors: "active" } });
  await shop.open();
  const widths = await shop.page.evaluate(() => {
    const root = document.querySelector("parley-chat")!.shadowRoot!;
    return [".launcher", ".panel", ".field", ".send", ".pills button"].map(
      (selector) => getComputedStyle(root.querySelector(selector)!).borderTopWidth,
    );
  });
  expect(widths).toEqual(["1px", "1px", "1px", "1px", "1px"]);
});

usualTest("zoomed to 400 % everything is still reachable", async () => {
  await using shop = await embed({
    serviceUrl: service.url,
    context: { viewport: { width: 320, height: 200 } },
  });
  await shop.open();
  await shop.say("hello");
  await shop.log.locator("table").waitFor();
  const box = (await shop.panel.boundingBox())!;
  expect([box.x, box.y, box.width, box.height]).toEqual([0, 0, 320, 200]);
  for (const name of ["Close chat", "Send"]) {
    const control = (await shop.page.getByRole("button", { name }).boundingBox())!;
    expect(control.y + control.height).toBeLessThanOrEqual(200);
  }
});
