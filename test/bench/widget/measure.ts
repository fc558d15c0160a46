import type { CDPSession, Page } from "playwright-core";

import { embed, type EmbeddedPage, sharedBrowser } from "../../support/browser.ts";

export interface Conditions {
  serviceUrl: string;
  /** How many times slower than this machine. */
  cpuSlowdown: number;
  slow4G?: boolean;
}

export interface Transfer {
  requests: number;
  /** Of the bodies, as they were sent. */
  bytes: number;
}

/** 150 ms there and back, 1.6 Mbit/s down: what browsers' tools call Slow 4G. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

/** Notes when the launcher can be seen, and when the input has the focus after a click on it. */
const STOPWATCH = `{
  const part = (selector) => document.querySelector("parley-chat")?.shadowRoot.querySelector(selector);
  window.marks = {};
  const look = () => {
    const launcher = part(".launcher");
    const now = performance.now();
    if (launcher && getComputedStyle(launcher).opacity > 0.5) marks.bubble ??= now;
    if (part("textarea:focus")) marks.usable ??= now;
    requestAnimationFrame(look);
  };
  look();
}`;

async function cdpOf(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  // Time that the thread worked, not time that passed: other programs may be running.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  return cdp;
}

interface Bench extends AsyncDisposable {
  shop: EmbeddedPage;
  cdp: CDPSession;
}

/** A page with the widget in a fresh profile, loaded once more under the conditions with nothing in its cache. */
async function openUnder({ serviceUrl, cpuSlowdown, slow4G }: Conditions): Promise<Bench> {
  const shop = await embed({ serviceUrl, context: { reducedMotion: "no-preference" } });
  const cdp = await cdpOf(shop.page);
  await shop.page.addInitScript(STOPWATCH);
  await shop.page.goto("about:blank");
  await cdp.send("Network.clearBrowserCache");
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  if (slow4G) await cdp.send("Network.emulateNetworkConditions", SLOW_4G);
  await shop.page.goto(shop.url);
  return { shop, cdp, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() };
}

const mark = ({ page }: EmbeddedPage, name: string) =>
  page
    .waitForFunction((key) => (window as unknown as { marks: Record<string, number> }).marks[key], name)
    .then((handle) => handle.jsonValue() as Promise<number>);

/** Milliseconds from the host page's first byte to a launcher that is more than half opaque. */
export async function bubbleVisibleMs(conditions: Conditions): Promise<number> {
  await using bench = await openUnder(conditions);
  const visible = await mark(bench.shop, "bubble");
  return visible - (await firstByteAt(bench.shop.page));
}

/** The same for the first thing that the page itself paints, to judge the machine by. */
export async function firstPaintMs(conditions: Conditions): Promise<number> {
  await using bench = await openUnder(conditions);
  const { page } = bench.shop;
  const painted = await page.waitForFunction(() => performance.getEntriesByType("paint")[0]?.startTime);
  return Number(await painted.jsonValue()) - (await firstByteAt(page));
}

function firstByteAt(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return navigation!.responseStart;
  });
}

/** Milliseconds from a click to an input that has the focus, with the panel loaded before or only then. */
export async function panelUsableMs(conditions: Conditions, prefetched: boolean): Promise<number> {
  await using bench = await openUnder(conditions);
  const { page } = bench.shop;
  await mark(bench.shop, "bubble");
  if (prefetched) {
    await Promise.all([page.waitForResponse(/panel-/), bench.shop.launcher.hover()]);
    await Bun.sleep(300);
  }
  const clicked = await page.evaluate(() => {
    const at = performance.now();
    document.querySelector("parley-chat")!.shadowRoot!.querySelector<HTMLElement>(".launcher")!.click();
    return at;
  });
  return (await mark(bench.shop, "usable")) - clicked;
}

/** Bodies fetched from the service before anyone touches the page, and with the panel open. */
export async function transfers(serviceUrl: string): Promise<Record<"before" | "config" | "open", Transfer>> {
  await using shop = await embed({ serviceUrl });
  const cdp = await cdpOf(shop.page);
  const urls = new Map<string, string>();
  const bodies = new Map<string, number>();
  cdp.on("Network.responseReceived", ({ requestId, response }) => urls.set(requestId, response.url));
  cdp.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId)!;
    bodies.set(url, (bodies.get(url) ?? 0) + encodedDataLength);
  });
  await cdp.send("Network.clearBrowserCache");
  await shop.page.goto("about:blank");
  await shop.page.goto(shop.url);
  await shop.launcher.waitFor();
  await Bun.sleep(500);
  const sum = (pattern: RegExp): Transfer => {
    const sizes = [...bodies]
      .filter(([url]) => url.startsWith(serviceUrl) && pattern.test(url))
      .map(([, size]) => size);
    return { requests: sizes.length, bytes: sizes.reduce((total, size) => total + size, 0) };
  };
  const [before, config] = [sum(/\/cdn\//), sum(/embed-config/)];
  await shop.open();
  await Bun.sleep(300);
  return { before, config, open: sum(/./) };
}

async function metric(cdp: CDPSession, name: string): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find((entry) => entry.name === name)!.value;
}

async function heapBytes(cdp: CDPSession): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  return metric(cdp, "JSHeapUsedSize");
}

export interface Cost {
  loadMs: number;
  openMs: number;
  closedBytes: number;
  openBytes: number;
}

/** Main-thread time and heap of a page with the widget, above the same page without it. */
export async function costAboveBarePage(serviceUrl: string): Promise<Cost> {
  const bare = await costOf("http://127.0.0.1:9", false);
  const dressed = await costOf(serviceUrl, true);
  return {
    loadMs: dressed.loadMs - bare.loadMs,
    openMs: dressed.openMs,
    closedBytes: dressed.closedBytes - bare.closedBytes,
    openBytes: dressed.openBytes - bare.closedBytes,
  };
}

async function costOf(serviceUrl: string, opens: boolean): Promise<Cost> {
  await using shop = await embed({ serviceUrl });
  const cdp = await cdpOf(shop.page);
  await shop.page.goto("about:blank");
  const busyMs = async () => (await metric(cdp, "TaskDuration")) * 1000;
  const start = await busyMs();
  await shop.page.goto(shop.url);
  await Bun.sleep(600);
  const loaded = await busyMs();
  const closedBytes = await heapBytes(cdp);
  if (!opens) return { loadMs: loaded - start, openMs: 0, closedBytes, openBytes: 0 };
  const beforeOpen = await busyMs();
  await shop.page.evaluate(() => (window.Parley as { open: () => void }).open());
  await Bun.sleep(600);
  const openMs = (await busyMs()) - beforeOpen;
  return { loadMs: loaded - start, openMs, closedBytes, openBytes: await heapBytes(cdp) };
}

export async function closeBrowser(): Promise<void> {
  await (await sharedBrowser()).close();
}
