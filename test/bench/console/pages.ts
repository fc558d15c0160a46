import { chromium } from "playwright-core";

import { findChromium } from "../../support/chromium.ts";
import type { Goal } from "../goals.ts";
import type { Operator } from "./operator.ts";

/** Of the first load: what is sent over the wire (issue of the console). */
const FIRST_LOAD_BYTES = 120_000;
const PAGES = ["/", "/improve", "/conversations", "/bots", "/tokens", "/health"];

/** What a browser that has been nowhere yet takes for each page: bytes on the wire, and until its first heading can be read and its data is there. */
export async function lookAtPages(operatorUrl: string, operator: Operator): Promise<Goal[]> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    console.log("\nthere is no Chromium here: the pages were not looked at");
    return [];
  }
  const browser = await chromium.launch({ executablePath });
  console.log(
    `\n${"page in Chromium, empty cache".padEnd(46)}${"bytes".padStart(10)}${"ready ms".padStart(10)}`,
  );
  const goals: Goal[] = [];
  for (const path of PAGES) {
    const context = await browser.newContext({ extraHTTPHeaders: { Cookie: operator.cookie } });
    const page = await context.newPage();
    const startedAt = performance.now();
    await page.goto(`${operatorUrl}${path}`);
    await page.locator("h1").first().waitFor();
    await page.waitForLoadState("networkidle");
    // Network idle means half a second of silence.
    const readyMs = performance.now() - startedAt - 500;
    const bytes = await page.evaluate(bytesOnTheWire);
    console.log(`${path.padEnd(46)}${String(bytes).padStart(10)}${readyMs.toFixed(0).padStart(10)}`);
    goals.push({ what: `${path}: bytes of the first load`, value: bytes, atMost: FIRST_LOAD_BYTES });
    await context.close();
  }
  await browser.close();
  return goals;
}

/** Runs in the page. */
function bytesOnTheWire(): number {
  const entries = [
    ...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource"),
  ] as PerformanceResourceTiming[];
  return entries.reduce((sum, { transferSize }) => sum + transferSize, 0);
}
