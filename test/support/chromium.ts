import { existsSync } from "node:fs";

const USUAL_NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Path of the browser to test with: `CHROMIUM_PATH`, or the first one installed. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && existsSync(named)) return named;
  return USUAL_NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
}

/** Installs Chromium from the distribution where that needs no password. */
export function installChromium(): string | undefined {
  const mayInstall = process.getuid?.() === 0 && Bun.which("apt-get") !== null;
  if (!mayInstall) return undefined;
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", "chromium"]]) {
    const { exitCode } = Bun.spawnSync(["apt-get", "--quiet", ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (exitCode !== 0) return undefined;
  }
  return findChromium();
}
