import type { WidgetAsset } from "../widget/build.ts";
import type { ServedAssets } from "./asset-sets.ts";
import { chooseEncoding, FOR_EVER, BODIES } from "./assets.ts";
import { helpPage } from "./help.ts";
import { acceptedNames } from "./request-headers.ts";
import { WIDGET_PREVIEW_PATH, widgetPreview } from "./widget-preview.ts";

/** Allows only the console's own scripts and its own API; Trusted Types guard all sinks. */
export function consolePolicy(frames: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `frame-src ${frames}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function bodyOf(asset: WidgetAsset, request: Request, headers: Record<string, string>): Response {
  const encoding = chooseEncoding(request.headers.get("accept-encoding"));
  const body = asset[BODIES[encoding]] as Uint8Array<ArrayBuffer>;
  const own = {
    "Content-Type": asset.contentType,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    Vary: "Accept-Encoding",
    ...(encoding !== "identity" && { "Content-Encoding": encoding }),
    ...headers,
  };
  return new Response(body, { headers: own });
}

/** Origins that may be framed for the theme preview: this listener and the public one. */
const framesOf = (publicUrl: string) => `'self' ${new URL(publicUrl).origin}`;

/**
 * Answers requests for the console: `/assets/…` by hashed names, `/help/…` with the documentation, and all other addresses with its one
 * page, so that deep links work. Undefined for unknown assets, and for requests that do not come from a browser's address bar.
 */
export function consoleResponder(assets: readonly WidgetAsset[], publicUrl: () => string) {
  const page = assets.find(({ contentType }) => contentType.startsWith("text/html"))!;
  const others = assets.filter((asset) => asset !== page);
  const styles = assets.find(({ contentType }) => contentType.startsWith("text/css"));
  const byPath = new Map(others.map((asset) => [`/assets/${asset.path}`, asset]));
  return (request: Request): Response | undefined => {
    const { pathname } = new URL(request.url);
    const asset = byPath.get(pathname);
    if (asset !== undefined) return bodyOf(asset, request, { "Cache-Control": FOR_EVER });
    if (pathname === WIDGET_PREVIEW_PATH) return widgetPreview(request, publicUrl());
    const help = helpPage(pathname, styles && `/assets/${styles.path}`);
    if (help !== undefined) return help;
    if (!isPageAddress(pathname, request)) return undefined;
    return bodyOf(page, request, {
      "Cache-Control": "no-store",
      "Content-Security-Policy": consolePolicy(framesOf(publicUrl())),
      "Cross-Origin-Opener-Policy": "same-origin",
    });
  };
}

function isPageAddress(pathname: string, request: Request): boolean {
  if (pathname === "/") return true;
  if (pathname.startsWith("/api/") || pathname.startsWith("/assets/")) return false;
  return acceptedNames(request.headers.get("accept")).has("text/html");
}

/** The console, built or unpacked on the first request, and stored files of other builds. */
export function createConsole({ console, findEarlier }: ServedAssets, publicUrl: () => string) {
  let respond: ReturnType<typeof consoleResponder> | undefined;
  return async (request: Request): Promise<Response | undefined> => {
    if (request.method !== "GET") return undefined;
    respond ??= consoleResponder(await console(), publicUrl);
    const response = respond(request);
    if (response !== undefined) return response;
    const path = new URL(request.url).pathname.slice(1);
    const earlier = path.startsWith("assets/") ? await findEarlier(path) : undefined;
    // A substitute would belong to a different version of the console.
    if (earlier?.isExact !== true) return undefined;
    return bodyOf(earlier.asset, request, { "Cache-Control": FOR_EVER });
  };
}
