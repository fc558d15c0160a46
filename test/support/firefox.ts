import { type Browser, firefox } from "playwright-core";

import { aptInstall, findProgram } from "./programs.ts";

/** Path of the Firefox to test with: `FIREFOX_PATH`, or the first one installed. */
export const findFirefox = (): string | undefined => findProgram("FIREFOX_PATH", ["firefox-esr", "firefox"]);

/** Installs Firefox from the distribution where that needs no password. */
export function installFirefox(): string | undefined {
  return aptInstall("firefox-esr") ? findFirefox() : undefined;
}

const PREFERENCES = {
  // As every profile of the tests has it; this Firefox is not told by profile.
  "ui.prefersReducedMotion": 1,
  // It asks for the host page's picture, and calls it a violation where the page's policy has none.
  "browser.chrome.site_icons": false,
};

/** The Firefox that people have, driven by WebDriver BiDi. */
export async function launchFirefox(): Promise<Browser> {
  const browser = await firefox.launch({
    channel: "moz-firefox",
    executablePath: findFirefox() ?? "/usr/bin/firefox-esr",
    firefoxUserPrefs: PREFERENCES,
  });
  forgiveMissingCommand(browser);
  return browser;
}

/** What playwright-core keeps to itself. */
interface Internals {
  _connection: { toImpl: (browser: unknown) => { _browserSession: BidiSession } };
}

interface BidiSession {
  send(method: string, params: unknown): Promise<unknown>;
}

/**
 * For every new profile, playwright-core says whether its pages are light or dark, by a command that Firefox 153 does
 * not know. They are light without it.
 */
function forgiveMissingCommand(browser: Browser): void {
  const { _connection: connection } = browser as unknown as Internals;
  const { _browserSession: session } = connection.toImpl(browser);
  const send = session.send.bind(session);
  session.send = async (method, params) => {
    try {
      return await send(method, params);
    } catch (error) {
      const isMissing = String(error).includes("unknown command");
      if (isMissing && method === "emulation.setMediaFeaturesOverride") return {};
      throw error;
    }
  };
}
