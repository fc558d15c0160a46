import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { inEveryView } from "../support/axe.ts";
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

test.each(PAGES)("axe finds nothing on %s, in either scheme, at no width", async (path, until) => {
  await using open = await openConsole(service.url, path);
  await open.page.locator(until).first().waitFor({ state: "attached" });
  expect(await inEveryView(open.page)).toEqual([]);
  expect(open.troubles).toEqual([]);
});
