import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

import { NEWLY_ANSWERED, PREVIEW, serveBots } from "../support/console-bots.ts";
import { openConsole } from "../support/console-page.ts";
import { type ConsoleService, startConsoleService } from "../support/console-service.ts";

setDefaultTimeout(180_000);

const BOT = "/bots/acme-support";

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsoleService();
  const bots = serveBots(service);
  const last = bots.versions.at(-1)!.yaml;
  bots.draft = { yaml: last.replace("Acme Support", "Acme Help"), baseVersion: 2, by: "ops", revision: 1 };
  bots.mistakes = [{ line: 12, column: 1, message: "`x` matches no intent", severity: "warning" }];
  const failed = { ...PREVIEW.tests[0]!, passed: false };
  bots.preview = { ...PREVIEW, newlyAnswered: [NEWLY_ANSWERED], tests: [failed, ...PREVIEW.tests.slice(1)] };
});
afterAll(() => service[Symbol.asyncDispose]());

/** A page, and what is there once it is drawn. */
const PAGES: readonly (readonly [path: string, until: string])[] = [
  ["/improve/ig_0", ".then"],
  ["/improve", ".then"],
  ["/improve/ig_8", ".unhelpful"],
  ["/bots", ".body table"],
  [`${BOT}/basics`, ".cm-content"],
  [`${BOT}/profile`, ".cm-lintRange"],
  [`${BOT}/intents`, ".bar-cell"],
  [`${BOT}/intents/payments.methods`, ".cm-content"],
  [`${BOT}/handoff`, ".cm-content"],
  [`${BOT}/theme`, "iframe"],
  [`${BOT}/tests`, ".better, .worse"],
  [`${BOT}/knowledge`, ".pane table"],
  [`${BOT}/versions/1..2`, ".diff .add"],
  [`${BOT}/changes`, ".then"],
  ["/try/acme-support", ".composer"],
];

/** The dark scheme differs from the light one by colours alone, so that one rule is left to be checked in it. */
async function violations(page: Page, colorScheme: "light" | "dark"): Promise<string[]> {
  const builder = new AxeBuilder({ page });
  const found = await (colorScheme === "light" ? builder : builder.withRules("color-contrast")).analyze();
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

async function atEveryWidth(page: Page, colorScheme: "light" | "dark"): Promise<string[]> {
  const found: string[] = [];
  for (const width of [1440, 900, 400]) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await violations(page, colorScheme)).map((violation) => `${width}: ${violation}`));
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) found.push(`${width}: scrolls sideways by ${overflow}`);
  }
  return found;
}

describe.each(["light", "dark"] as const)(
  "axe finds nothing in the %s scheme, at no width",
  (colorScheme) => {
    test.each(PAGES)("on %s", async (path, until) => {
      await using open = await openConsole(service.url, path, { colorScheme });
      await open.page.locator(until).first().waitFor({ state: "attached" });
      expect(await atEveryWidth(open.page, colorScheme)).toEqual([]);
      expect(open.troubles).toEqual([]);
    });
  },
);
