import type { CDPSession, Page } from "playwright-core";

import { embed, type EmbeddedPage } from "../../support/browser.ts";
import { sharedBrowser } from "../../support/profiles.ts";

/** An address without a server, for a page without the widget. */
const NO_SERVICE = "http://127.0.0.1:9";

export interface Conditions {
  serviceUrl: string;
  /** Factor by which the processor is slowed. */
  cpuSlowdown: number;
  slow4G?: boolean;
  /** The page's head also has the line of `parley bot snippet --preload`. */
  preload?: boolean;
}

export interface Transfer {
  requests: number;
  /** Bytes of the bodies as they were sent. */
  bytes: number;
}

/** 150 ms round trip, 1.6 Mbit/s down: "Slow 4G" in browsers' tools. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

/**
 * A site's server takes a moment to answer, and a browser uses it to make process and frame for the page. One that
 * answered at once would have that counted as the page's time.
 */
const HOST_ANSWERS_AFTER_MS = 100;

/** Time for which the page is not queried, because the driver's scripts would run before the bubble's frame. */
const UNTOUCHED_MS = 1000;

/**
 * Notes when the launcher has been drawn: at the end of the frame in which it is first there, at least half opaque,
 * behind that frame's style, layout, paint and commit. Until the launcher is put in, nothing runs. Notes also when the
 * input gets the focus.
 */
const STOPWATCH = `{
  window.marks = {};
  const part = (selector) => document.querySelector("parley-chat")?.shadowRoot.querySelector(selector);
  const look = () => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const launcher = part(".launcher");
      if (launcher?.checkVisibility() && getComputedStyle(launcher).opacity >= 0.5) marks.bubble = performance.now();
      else look();
    };
    port2.postMessage(0);
  });
  new MutationObserver((_, observer) => {
    if (!document.querySelector("parley-chat")) return;
    observer.disconnect();
    look();
  }).observe(document, { childList: true, subtree: true });
  addEventListener("focusin", () => {
    if (part("textarea:focus")) marks.usable ??= performance.now();
  });
}`;

async function cdpOf(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  // Processor time, not wall time, because other programs may be running.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  return cdp;
}

/** Waits until the browser is idle: for each new window it builds an interface, which takes a core for a second. */
async function browserAtRest(): Promise<void> {
  const cdp = await (await sharedBrowser()).newBrowserCDPSession();
  const cpuSeconds = async () => {
    const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  let worked = await cpuSeconds();
  for (let looks = 0, restful = 0; restful < 2 && looks < 30; looks += 1) {
    await Bun.sleep(150);
    const since = worked;
    worked = await cpuSeconds();
    restful = worked - since < 0.02 ? restful + 1 : 0;
  }
  await cdp.detach();
}

/** A page with the widget, opened for the first time in a fresh profile, under the conditions. */
async function openUnder({ serviceUrl, cpuSlowdown, slow4G, preload }: Conditions): Promise<EmbeddedPage> {
  const shop = await embed({
    isNew: true,
    serviceUrl,
    context: { reducedMotion: "no-preference" },
    answerAfterMs: HOST_ANSWERS_AFTER_MS,
    ...(preload && {
      head: `<link rel="preload" href="${serviceUrl}/embed-config?botId=acme&amp;locale=" as="fetch" crossorigin>`,
      attributes: "crossorigin",
    }),
    async prepare(page) {
      await page.addInitScript(STOPWATCH);
      const cdp = await cdpOf(page);
      await browserAtRest();
      await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
      if (slow4G) await cdp.send("Network.emulateNetworkConditions", SLOW_4G);
    },
  });
  await Bun.sleep(UNTOUCHED_MS);
  return shop;
}

const mark = ({ page }: EmbeddedPage, name: string) =>
  page
    .waitForFunction((key) => (window as unknown as { marks: Record<string, number> }).marks[key], name)
    .then((handle) => handle.jsonValue() as Promise<number>);

/** Milliseconds from the host page's arrival to the end of the frame that shows the launcher. */
export async function bubbleVisibleMs(conditions: Conditions): Promise<number> {
  await using shop = await openUnder(conditions);
  return (await mark(shop, "bubble")) - (await arrivalOf(shop.page));
}

/** The same for the first paint of a page without the widget, to judge the machine by. */
export async function barePaintMs(conditions: Omit<Conditions, "serviceUrl">): Promise<number> {
  await using shop = await openUnder({ ...conditions, serviceUrl: NO_SERVICE });
  const painted = await shop.page.waitForFunction(() => performance.getEntriesByType("paint")[0]?.startTime);
  return Number(await painted.jsonValue()) - (await arrivalOf(shop.page));
}

/**
 * When the host page was there: it is so small that its end comes with its first byte. That byte's own entry,
 * `responseStart`, is of no use, because the emulated network stamps it before it holds the response back.
 */
function arrivalOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return navigation!.responseEnd;
  });
}

/** Milliseconds from a click to an input that has the focus, with the panel loaded before or only then. */
export async function panelUsableMs(conditions: Conditions, prefetched: boolean): Promise<number> {
  await using shop = await openUnder(conditions);
  const { page } = shop;
  await mark(shop, "bubble");
  if (prefetched) {
    await Promise.all([page.waitForResponse(/panel-/), shop.launcher.hover()]);
    await Bun.sleep(300);
  }
  const clicked = await page.evaluate(() => {
    const at = performance.now();
    document.querySelector("parley-chat")!.shadowRoot!.querySelector<HTMLElement>(".launcher")!.click();
    return at;
  });
  return (await mark(shop, "usable")) - clicked;
}

/** Bodies fetched from the service before anyone touches the page, and with the panel open. */
export async function transfers(serviceUrl: string): Promise<Record<"before" | "config" | "open", Transfer>> {
  await using shop = await embed({ serviceUrl, isNew: true });
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
  const bare = await costOf(NO_SERVICE, false);
  const dressed = await costOf(serviceUrl, true);
  return {
    loadMs: dressed.loadMs - bare.loadMs,
    openMs: dressed.openMs,
    closedBytes: dressed.closedBytes - bare.closedBytes,
    openBytes: dressed.openBytes - bare.closedBytes,
  };
}

async function costOf(serviceUrl: string, opens: boolean): Promise<Cost> {
  await using shop = await embed({ serviceUrl, isNew: true });
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
