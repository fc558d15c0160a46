/**
 * Takes the README's picture, docs/images/widget.png: the demo page of a sample bot with a conversation in the panel. Run it after the build:
 * `bun test/bench/widget/picture.ts`.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";

import { emptyFolder, runExecutable, serveExecutable } from "../../support/executable.ts";
import { sharedBrowser } from "../../support/profiles.ts";

const BOT_FILE = join(import.meta.dir, "../../../data/acme-support.yaml");
const PICTURE = join(import.meta.dir, "../../../docs/images/widget.png");
/** One answer, one denial. */
const MESSAGES = ["Which cards do you take?", "Please delete my account"];

const folder = emptyFolder();
await runExecutable(["seed", BOT_FILE, "--no-review"], { cwd: folder });
await using parley = await serveExecutable(folder, ["--demo"]);
const browser = await sharedBrowser();
const page = await browser.newPage({ viewport: { width: 1040, height: 680 }, reducedMotion: "reduce" });
await page.goto(`${parley.url}/demo/acme-support`);
await page.locator("parley-chat .launcher").click();
const input = page.locator("parley-chat textarea");
for (const [at, message] of MESSAGES.entries()) {
  await input.fill(message);
  await input.press("Enter");
  // Each turn is listed beside the shop once it has been answered.
  await page.locator("#turns > li").nth(at).waitFor();
}
await input.evaluate((element) => (element as HTMLElement).blur());
await page.screenshot({ path: PICTURE });
await browser.close();
rmSync(folder, { recursive: true });
