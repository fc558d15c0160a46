import { consoleAssets } from "../console/assets.ts";
import { widgetAssets } from "../widget/assets.ts";
import type { WidgetAsset } from "../widget/build.ts";
import type { EarlierAsset } from "./earlier-assets.ts";

/** The files that browsers load from this server. */
export interface AssetSets {
  /** Below `/cdn/` of the public listener. */
  widget: () => Promise<readonly WidgetAsset[]>;
  /** Below `/assets/` of the operator listener, with the page that loads them. */
  console: () => Promise<readonly WidgetAsset[]>;
  /** Whether they are available at once. Building from the sources takes seconds and waits for the first request. */
  areBuilt: boolean;
}

/** These files, and those of other builds. */
export interface ServedAssets extends Pick<AssetSets, "widget" | "console"> {
  /** @param path without a leading slash, for example `cdn/panel-en-2e52bbb9.js`. */
  findEarlier: (path: string) => Promise<EarlierAsset | undefined>;
}

export function ownAssets(): AssetSets {
  return { widget: widgetAssets, console: consoleAssets, areBuilt: Bun.embeddedFiles.length > 0 };
}
