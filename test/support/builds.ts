import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import type { AssetSets } from "../../src/http/asset-sets.ts";
import { type WidgetAsset, shortHash } from "../../src/widget/build.ts";
import { integrityOf } from "../../src/widget/integrity.ts";

const JAVASCRIPT = "text/javascript; charset=utf-8";

/** A file for browsers, compressed at the fastest level. */
export function packed(
  file: Pick<WidgetAsset, "path" | "contentType" | "immutable">,
  text: string,
): WidgetAsset {
  const identity = new TextEncoder().encode(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
  return {
    ...file,
    integrity: integrityOf(identity),
    identity,
    brotli: new Uint8Array(brotliCompressSync(identity, { params })),
    gzip: new Uint8Array(gzipSync(identity, { level: 1 })),
  };
}

/** A script with a hash in its name. */
export function script(name: string, text: string): WidgetAsset {
  return packed({ path: `${name}-${shortHash(text)}.js`, contentType: JAVASCRIPT, immutable: true }, text);
}

/** A small build of a version: one file of each purpose, and one that is equal in every version. */
export function smallBuild(version: string) {
  const files = {
    loader: packed({ path: "widget.js", contentType: JAVASCRIPT, immutable: false }, `loader of ${version}`),
    panel: script("panel-en", `panel of ${version}`),
    template: script("template", "the same template"),
    part: script("part", `console of ${version}`),
    page: packed({ path: "index.html", contentType: "text/html; charset=utf-8", immutable: false }, version),
  };
  const sets: AssetSets = {
    widget: async () => [files.loader, files.panel, files.template],
    console: async () => [files.part, files.page],
    areBuilt: true,
  };
  return { ...files, sets };
}

const HASH_IN_NAME = /-([0-9a-z]{8})\.(?:js|css)$/;

/**
 * The same files for another version: every hash and every reference to it differs, and each script adds the version to the page's
 * `ranVersions`.
 */
export function asVersion(version: string, assets: readonly WidgetAsset[]): WidgetAsset[] {
  const names = new Map<string, string>();
  for (const { path } of assets) {
    const [, hash] = HASH_IN_NAME.exec(path) ?? [];
    if (hash !== undefined) names.set(hash, shortHash(`${version} ${hash}`));
  }
  const renamed = (text: string) =>
    text.replaceAll(/(?<![0-9a-z])[0-9a-z]{8}(?![0-9a-z])/g, (word) => names.get(word) ?? word);
  const noted = `;(globalThis.ranVersions??=new Set).add(${JSON.stringify(version)});`;
  const made = assets.map((asset) => {
    const text = renamed(new TextDecoder().decode(asset.identity));
    const isScript = asset.contentType === JAVASCRIPT;
    return packed({ ...asset, path: renamed(asset.path) }, isScript ? `${text}\n${noted}` : text);
  });
  const integrities = new Map(assets.map(({ integrity }, at) => [integrity, made[at]!.integrity]));
  return made.map((asset) =>
    asset.contentType.startsWith("text/html") ? withIntegrities(asset, integrities) : asset,
  );
}

/** Replaces the integrity of the contents that a page refers to. */
function withIntegrities(page: WidgetAsset, integrities: ReadonlyMap<string, string>): WidgetAsset {
  const text = new TextDecoder().decode(page.identity);
  return packed(
    page,
    text.replaceAll(/sha384-[\w+/]+=*/g, (known) => integrities.get(known) ?? known),
  );
}
