import { existsSync } from "node:fs";

import { aptInstall } from "./apt.ts";

const USUAL_NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Path of the browser to test with: `CHROMIUM_PATH`, or the first one installed. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && existsSync(named)) return named;
  return USUAL_NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
}

/** Installs Chromium from the distribution where that needs no password. */
export function installChromium(): string | undefined {
  return aptInstall("chromium") ? findChromium() : undefined;
}
