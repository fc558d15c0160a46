import type { WidgetAsset } from "./build.ts";
import { configUrl } from "./loader/embed-config.ts";

interface SnippetParts {
  /** Where the assets are: `cdnUrl` of the embed configuration. */
  cdnUrl: string;
  /** Where the service is: named in the snippet only if it cannot be told from `cdnUrl`. */
  publicUrl: string;
  botId: string;
  embedToken: string;
  /** Language of the page, as a BCP 47 tag; left out: the page says it. */
  locale?: string;
  /** Adds a line that has the page fetch the bot's configuration at the same time as the loader. */
  preload?: boolean;
  /** Pins the page to this very version of the loader, by Subresource Integrity. */
  pinned?: Pick<WidgetAsset, "path" | "integrity">;
}

function attribute(name: string, value: string): string {
  const escaped = value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return ` ${name}="${escaped}"`;
}

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

/**
 * The line that puts a bot on a page; with `preload`, a line before it fetches the bot's configuration early. A pinned snippet works
 * only as long as that version of the loader is served: as long as its build is one of the latest three, or where a CDN keeps old files.
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

/** The loader under its hashed name, to be pinned. */
export function pinnableLoader(assets: readonly WidgetAsset[]): WidgetAsset {
  const loader = assets.find(({ path }) => /^widget-\w+\.js$/.test(path));
  if (loader === undefined) throw new Error("the widget's assets hold no loader");
  return loader;
}
