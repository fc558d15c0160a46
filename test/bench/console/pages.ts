import { chromium } from "playwright-core";

import { findChromium } from "../../support/chromium.ts";
import type { Goal } from "../goals.ts";
import type { Operator } from "./operator.ts";

/** Limit of the bytes on the wire for the first load. */
const FIRST_LOAD_BYTES = 120_000;
const PAGES = ["/", "/improve", "/conversations", "/bots", "/tokens", "/health"];

/** For each page in a fresh browser: bytes on the wire, and the time until its first heading is legible and its data is there. */
export async function lookAtPages(operatorUrl: string, operator: Operator): Promise<Goal[]> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    console.log("\nthere is no Chromium here: the pages were not looked at");
    return [];
  }
  const browser = await chromium.launch({ executablePath });
  const head = ["code bytes", "data bytes", "ready ms"].map((name) => name.padStart(12)).join("");
  console.log(`\n${"page in Chromium, empty cache".padEnd(46)}${head}`);
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
    const { code, data } = await page.evaluate(bytesOnTheWire);
    const figures = [code, data, Math.round(readyMs)].map((figure) => String(figure).padStart(12));
    console.log(`${path.padEnd(46)}${figures.join("")}`);
    goals.push({ what: `${path}: bytes of the first load`, value: code, atMost: FIRST_LOAD_BYTES });
    await context.close();
  }
  await browser.close();
  return goals;
}

/** Bytes of the page with its scripts and styles, and of the API's answers. Runs in the page. */
function bytesOnTheWire(): { code: number; data: number } {
  const entries = [
    ...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource"),
  ] as PerformanceResourceTiming[];
  const bytesOf = (isData: boolean) =>
    entries
      .filter(({ name }) => name.includes("/api/") === isData)
      .reduce((sum, { transferSize }) => sum + transferSize, 0);
  return { code: bytesOf(false), data: bytesOf(true) };
}
