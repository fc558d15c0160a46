/** A kind of machine that an executable is made for. */
export interface Target {
  /** Name of the runtime inside. */
  runtime: Bun.Build.CompileTarget;
  /** The entry of better-sqlite3 that holds the driver. */
  driver: string;
  outfile: string;
}

/**
 * Targets of `npm run build -- --all`. The plain x64 ones need a processor with AVX2, as made since 2013; the baseline one does
 * not.
 */
export const TARGETS: readonly Target[] = [
  target("linux-x64", "bun-linux-x64-modern", "linux-x64"),
  target("linux-x64-baseline", "bun-linux-x64-baseline", "linux-x64"),
  target("linux-arm64", "bun-linux-arm64", "linux-arm64"),
  target("linux-x64-musl", "bun-linux-x64-musl", "linuxmusl-x64"),
  target("linux-arm64-musl", "bun-linux-arm64-musl", "linuxmusl-arm64"),
  target("macos-arm64", "bun-darwin-arm64", "darwin-arm64"),
  target("windows-x64.exe", "bun-windows-x64", "win32-x64"),
];

function target(name: string, runtime: Bun.Build.CompileTarget, driver: string): Target {
  return { runtime, driver: `better-sqlite3/${driver}`, outfile: `dist/parley-${name}` };
}
