import type { WidgetAsset } from "./build.ts";

/** Name of the file that carries the assets inside the executable. */
export const PACK_FILE = "widget-assets.pack";

type PackedAsset = Omit<WidgetAsset, "identity" | "brotli" | "gzip"> &
  Record<"identity" | "brotli" | "gzip", string>;

/** The assets as one file, to be given to `bun build --compile` as a further entry point. */
export function packAssets(assets: readonly WidgetAsset[]): string {
  const packed = assets.map((asset): PackedAsset => ({
    ...asset,
    identity: asset.identity.toBase64(),
    brotli: asset.brotli.toBase64(),
    gzip: asset.gzip.toBase64(),
  }));
  return JSON.stringify(packed);
}

export function unpackAssets(pack: string): WidgetAsset[] {
  return (JSON.parse(pack) as PackedAsset[]).map((asset) => ({
    ...asset,
    identity: Uint8Array.fromBase64(asset.identity),
    brotli: Uint8Array.fromBase64(asset.brotli),
    gzip: Uint8Array.fromBase64(asset.gzip),
  }));
}

let loaded: Promise<readonly WidgetAsset[]> | undefined;

async function load(): Promise<readonly WidgetAsset[]> {
  const embedded = Bun.embeddedFiles.find((file) => (file as File).name === PACK_FILE);
  if (embedded !== undefined) return unpackAssets(await embedded.text());
  // A variable keeps the bundler from following: an executable has no sources to build from.
  const builder = "./build.ts";
  const { buildWidgetAssets } = (await import(builder)) as typeof import("./build.ts");
  return buildWidgetAssets();
}

/** Everything under `/cdn/…`: embedded in the executable, built on first use where Parley runs from its sources. */
export function widgetAssets(): Promise<readonly WidgetAsset[]> {
  loaded ??= load();
  return loaded;
}
