import type { Browser, BrowserContextOptions, Page } from "playwright-core";

import { launchChromium } from "./chromium.ts";
import { HANG_MS } from "./eventually.ts";
import { launchFirefox } from "./firefox.ts";

export const isFirefox = process.env["BROWSER_UNDER_TEST"] === "firefox";

let launched: Promise<Browser> | undefined;

/** One browser for each process of tests, Firefox where `BROWSER_UNDER_TEST` says so; it ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= isFirefox ? launchFirefox() : launchChromium();
  return launched;
}

/** A page that nobody else has until it is given back. */
interface LentPage {
  readonly page: Page;
  readonly giveBack: () => Promise<void>;
}

/** What stays with a page: whoever was lent such a one would have it too. */
const LASTING = ["addInitScript", "exposeFunction", "exposeBinding", "emulateMedia"] as const;
const EVENTS = ["console", "dialog", "pageerror", "request", "requestfailed", "response"] as const;

/** What was given back, by the options of its profile. */
const idle = new Map<string, LentPage[]>();

/**
 * Lends a page of a profile with these options, in which nothing is stored. A new profile costs four times the processor
 * of one that was used before, so tests hand theirs on.
 */
export async function lendPage(options: BrowserContextOptions): Promise<LentPage> {
  return idle.get(JSON.stringify(options))?.pop() ?? newPage(options);
}

/** A page of a profile that nobody has used, at a desk and with motion reduced where nothing else is said. */
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

/** @returns whether something was done to the page since that cannot be undone */
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

/** @returns whether the page is as a new one; else it has been closed, or lets nobody reach what it has stored */
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

/** A page of no origin, as one in a sandbox, stores nothing. */
function forgetAll(): void {
  if (self.origin === "null") return;
  localStorage.clear();
  sessionStorage.clear();
}
