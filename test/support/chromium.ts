import { type Browser, chromium } from "playwright-core";

import { aptInstall, findProgram } from "./programs.ts";

/** Path of the Chromium to test with: `CHROMIUM_PATH`, or the first one installed. */
export const findChromium = (): string | undefined =>
  findProgram("CHROMIUM_PATH", ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]);

/** Installs Chromium from the distribution if that needs no password. */
export function installChromium(): string | undefined {
  return aptInstall("chromium") ? findChromium() : undefined;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? "/usr/bin/chromium",
    args: [
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-quic",
    ],
  });
}
