import { basename } from "node:path";

import { unpackAssets } from "../widget/assets.ts";
import type { WidgetAsset } from "../widget/build.ts";

/** Name of the file that carries the console inside the executable. */
export const CONSOLE_PACK_FILE = "console-assets.pack";

let loaded: Promise<readonly WidgetAsset[]> | undefined;

async function load(): Promise<readonly WidgetAsset[]> {
  const embedded = Bun.embeddedFiles.find((file) => basename((file as File).name) === CONSOLE_PACK_FILE);
  if (embedded !== undefined) return unpackAssets(await embedded.text());
  // The path is in a variable so that the bundler does not follow the import: the executable has no sources to build assets from.
  const builder = "./build.ts";
  const { buildConsoleAssets } = (await import(builder)) as typeof import("./build.ts");
  return buildConsoleAssets();
}

/** All files of the console: embedded in the executable, or built on first use when Parley runs from its sources. */
export function consoleAssets(): Promise<readonly WidgetAsset[]> {
  loaded ??= load();
  return loaded;
}
