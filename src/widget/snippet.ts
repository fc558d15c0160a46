import type { WidgetAsset } from "./build.ts";

interface SnippetParts {
  /** Where the assets are: `cdnUrl` of the embed configuration. */
  cdnUrl: string;
  /** Where the service is: named in the snippet only if it cannot be told from `cdnUrl`. */
  publicUrl: string;
  botId: string;
  embedToken: string;
  /** Pins the page to this very version of the loader, by Subresource Integrity. */
  pinned?: Pick<WidgetAsset, "path" | "integrity">;
}

function attribute(name: string, value: string): string {
  const escaped = value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return ` ${name}="${escaped}"`;
}

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

/**
 * The one line that puts a bot on a page. A pinned one keeps working only as long as that version is served, which a
 * service that is upgraded does not: pin where a CDN keeps old files.
 */
export function widgetSnippet({ cdnUrl, publicUrl, botId, embedToken, pinned }: SnippetParts): string {
  const base = withoutSlash(cdnUrl);
  const isDefault = base === `${withoutSlash(publicUrl)}/cdn`;
  return [
    "<script",
    attribute("src", `${base}/${pinned?.path ?? "widget.js"}`),
    attribute("data-bot-id", botId),
    attribute("data-token", embedToken),
    isDefault ? "" : attribute("data-endpoint", withoutSlash(publicUrl)),
    pinned ? `${attribute("integrity", pinned.integrity)} crossorigin="anonymous"` : "",
    " async></script>",
  ].join("");
}

/** The loader under its hashed name, to be pinned. */
export function pinnableLoader(assets: readonly WidgetAsset[]): WidgetAsset {
  const loader = assets.find(({ path }) => /^widget-\w+\.js$/.test(path));
  if (loader === undefined) throw new Error("the widget's assets hold no loader");
  return loader;
}
