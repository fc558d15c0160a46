import { type Browser, firefox } from "playwright-core";

import { aptInstall, findProgram } from "./programs.ts";

/** Path of the Firefox to test with: `FIREFOX_PATH`, or the first one installed. */
export const findFirefox = (): string | undefined => findProgram("FIREFOX_PATH", ["firefox-esr", "firefox"]);

/** Installs Firefox from the distribution if that needs no password. */
export function installFirefox(): string | undefined {
  return aptInstall("firefox-esr") ? findFirefox() : undefined;
}

const PREFERENCES = {
  // As in every test profile; Firefox gets it as a preference, because it cannot be set for each profile.
  "ui.prefersReducedMotion": 1,
  // Firefox requests the host page's icon, and reports a violation if the page's policy forbids it.
  "browser.chrome.site_icons": false,
};

/** The installed Firefox, driven by WebDriver BiDi. */
export async function launchFirefox(): Promise<Browser> {
  const browser = await firefox.launch({
    channel: "moz-firefox",
    executablePath: findFirefox() ?? "/usr/bin/firefox-esr",
    firefoxUserPrefs: PREFERENCES,
  });
  forgiveMissingCommand(browser);
  return browser;
}

/** Internals of playwright-core. */
interface Internals {
  _connection: { toImpl: (browser: unknown) => { _browserSession: BidiSession } };
}

interface BidiSession {
  send(method: string, params: unknown): Promise<unknown>;
}

/**
 * playwright-core sets light or dark for every new profile by a command that Firefox 153 does not know. Pages are light without it.
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
