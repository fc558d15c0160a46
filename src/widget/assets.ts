import { basename } from "node:path";

import type { WidgetAsset } from "./build.ts";

/** Name of the file that carries the assets inside the executable. */
export const PACK_FILE = "widget-assets.pack";

type Bodies = "identity" | "brotli" | "gzip";
type PackedAsset = Omit<WidgetAsset, Bodies> & Record<Bodies, string>;

/** Packs the assets into one file, a further entry point of `bun build --compile`. */
export function packAssets(assets: readonly WidgetAsset[]): string {
  return JSON.stringify(assets, (_, value: unknown) =>
    value instanceof Uint8Array ? value.toBase64() : value,
  );
}

export function unpackAssets(pack: string): WidgetAsset[] {
  const packed = JSON.parse(pack) as PackedAsset[];
  return packed.map(({ identity, brotli, gzip, ...description }) =>
    Object.assign(description, {
      identity: Uint8Array.fromBase64(identity),
      brotli: Uint8Array.fromBase64(brotli),
      gzip: Uint8Array.fromBase64(gzip),
    }),
  );
}

let loaded: Promise<readonly WidgetAsset[]> | undefined;

async function load(): Promise<readonly WidgetAsset[]> {
  const embedded = Bun.embeddedFiles.find((file) => basename((file as File).name) === PACK_FILE);
  if (embedded !== undefined) return unpackAssets(await embedded.text());
  // The path is in a variable so that the bundler does not follow the import: the executable has no sources to build assets from.
  const builder = "./build.ts";
  const { buildWidgetAssets } = (await import(builder)) as typeof import("./build.ts");
  return buildWidgetAssets();
}

/** All files under `/cdn/…`: embedded in the executable, or built on first use when Parley runs from its sources. */
export function widgetAssets(): Promise<readonly WidgetAsset[]> {
  loaded ??= load();
  return loaded;
}
