import type { WidgetAsset } from "./build.ts";
import { configUrl } from "./loader/embed-config.ts";

interface SnippetParts {
  /** Base URL of the assets: `cdnUrl` of the embed configuration. */
  cdnUrl: string;
  /** URL of the service; named in the snippet only if it does not follow from `cdnUrl`. */
  publicUrl: string;
  botId: string;
  embedToken: string;
  /** Language of the page, as a BCP 47 tag; default: the page's `lang`. */
  locale?: string;
  /** Adds a line that preloads the bot's configuration together with the loader. */
  preload?: boolean;
  /** Pins the page to this version of the loader by Subresource Integrity. */
  pinned?: Pick<WidgetAsset, "path" | "integrity">;
}

function attribute(name: string, value: string): string {
  const escaped = value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return ` ${name}="${escaped}"`;
}

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

/**
 * The script tag that adds a bot to a page; `preload` adds a line before it that fetches the bot's configuration early. A pinned snippet
 * stops working when that version of the loader is no longer served: Parley serves the latest three builds, a CDN may keep older ones.
 */
export function widgetSnippet(parts: SnippetParts): string {
  const { cdnUrl, publicUrl, botId, embedToken, locale, preload, pinned } = parts;
  const base = withoutSlash(cdnUrl);
  const endpoint = withoutSlash(publicUrl);
  const isDefault = base === `${endpoint}/cdn`;
  // `crossorigin` lets the loader, its configuration and its panel share a connection.
  const isAnonymous = preload || pinned;
  return [
    preload
      ? `<link rel="preload"${attribute("href", configUrl({ endpoint, botId }) + (locale ?? ""))} as="fetch" crossorigin>\n`
      : "",
    "<script",
    attribute("src", `${base}/${pinned?.path ?? "widget.js"}`),
    attribute("data-bot-id", botId),
    attribute("data-token", embedToken),
    isDefault ? "" : attribute("data-endpoint", endpoint),
    locale ? attribute("data-locale", locale) : "",
    pinned ? attribute("integrity", pinned.integrity) : "",
    isAnonymous ? ' crossorigin="anonymous"' : "",
    " async></script>",
  ].join("");
}

/** The loader under its name with a hash, for pinned snippets. */
export function pinnableLoader(assets: readonly WidgetAsset[]): WidgetAsset {
  const loader = assets.find(({ path }) => /^widget-\w+\.js$/.test(path));
  if (loader === undefined) throw new Error("the widget's assets hold no loader");
  return loader;
}
