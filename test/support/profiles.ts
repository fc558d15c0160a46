import type { Browser, BrowserContextOptions, Page } from "playwright-core";

import { launchChromium } from "./chromium.ts";
import { HANG_MS } from "./eventually.ts";
import { launchFirefox } from "./firefox.ts";

export const isFirefox = process.env["BROWSER_UNDER_TEST"] === "firefox";

let launched: Promise<Browser> | undefined;

/** One browser for each test process (Firefox with `BROWSER_UNDER_TEST`), which ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= isFirefox ? launchFirefox() : launchChromium();
  return launched;
}

/** A page in use by one test. */
interface LentPage {
  readonly page: Page;
  readonly giveBack: () => Promise<void>;
}

/** Calls with lasting effects on a page: a page with one of them is not lent again. */
const LASTING = ["addInitScript", "exposeFunction", "exposeBinding", "emulateMedia"] as const;
const EVENTS = ["console", "dialog", "pageerror", "request", "requestfailed", "response"] as const;

/** Returned pages, by the options of their profile. */
const idle = new Map<string, LentPage[]>();

/**
 * Lends a page of a profile with these options and empty storage. A new profile takes four times the processor time of a used one, so tests pass
 * theirs on.
 */
export async function lendPage(options: BrowserContextOptions): Promise<LentPage> {
  return idle.get(JSON.stringify(options))?.pop() ?? newPage(options);
}

/** A page of a new profile; by default of desktop size and with reduced motion. */
export async function newPage(options: BrowserContextOptions): Promise<LentPage> {
  const browser = await sharedBrowser();
  const profile = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  profile.setDefaultTimeout(HANG_MS);
  const page = await profile.newPage();
  const viewport = page.viewportSize()!;
  const isChanged = watchLasting(page);
  const lent: LentPage = {
    page,
    async giveBack() {
      const isClear = !isChanged() && profile.pages().length === 1 && (await clear(page));
      if (!isClear) return profile.close();
      await page.setViewportSize(viewport);
      const key = JSON.stringify(options);
      idle.set(key, [...(idle.get(key) ?? []), lent]);
    },
  };
  return lent;
}

/** @returns whether a lasting call was made on the page */
function watchLasting(page: Page): () => boolean {
  let isChanged = false;
  const watch = (owner: object, name: string) => {
    const method = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    Reflect.set(owner, name, (...args: unknown[]) => {
      isChanged = true;
      return method.apply(owner, args);
    });
  };
  for (const name of LASTING) watch(page, name);
  watch(page.clock, "install");
  watch(page.context(), "setOffline");
  return () => isChanged;
}

/** @returns whether the page is like a new one; otherwise it is closed, or its storage cannot be cleared */
async function clear(page: Page): Promise<boolean> {
  for (const event of EVENTS) page.removeAllListeners(event);
  try {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    for (const frame of page.frames()) await frame.evaluate(forgetAll);
    await page.context().clearCookies();
    await page.goto("about:blank");
    return true;
  } catch {
    return false;
  }
}

/** A page without an origin, such as a sandboxed one, stores nothing. */
function forgetAll(): void {
  if (self.origin === "null") return;
  localStorage.clear();
  sessionStorage.clear();
}
