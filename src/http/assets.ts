import { Elysia } from "elysia";

import { ServiceError } from "../domain/errors.ts";
import type { WidgetAsset } from "../widget/build.ts";
import type { ServedAssets } from "./asset-sets.ts";
import { acceptedNames, notModified } from "./request-headers.ts";

/** For file names with a hash, whose content never changes. */
export const FOR_EVER = "public, max-age=31536000, immutable";
const MINUTES = "public, max-age=300";
/** A substitute for a missing file must not be cached, because another server may store the original at any time. */
const ASK_AGAIN = "no-cache";

type Encoding = "br" | "gzip" | "identity";

/** The best encoding that the client accepts (RFC 9110 §12.5.3); `identity` unless br or gzip are named. */
export function chooseEncoding(acceptEncoding: string | null): Encoding {
  const accepted = acceptedNames(acceptEncoding);
  if (accepted.has("br")) return "br";
  return accepted.has("gzip") ? "gzip" : "identity";
}

export const BODIES = { br: "brotli", gzip: "gzip", identity: "identity" } as const;

/** Each encoding has its own ETag (RFC 9110 §8.8.3.3). */
const etagOf = (asset: WidgetAsset, encoding: Encoding) => `"${asset.integrity.slice(7, 31)}-${encoding}"`;

function headersOf(asset: WidgetAsset, encoding: Encoding, cacheControl: string) {
  return {
    "Content-Type": asset.contentType,
    "Cache-Control": cacheControl,
    ETag: etagOf(asset, encoding),
    Vary: "Accept-Encoding",
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
    ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
  };
}

/**
 * Answers requests for `/cdn/…`: compressed, revalidated by ETag, hashed names cached forever, readable from any origin. Undefined if there
 * is no such asset.
 */
export function assetResponder(assets: readonly WidgetAsset[]): (request: Request) => Response | undefined {
  const byPath = new Map(assets.map((asset) => [`/cdn/${asset.path}`, asset]));
  return (request) => {
    const asset = byPath.get(new URL(request.url).pathname);
    return asset && respondWith(asset, request, asset.immutable ? FOR_EVER : MINUTES);
  };
}

function respondWith(asset: WidgetAsset, request: Request, cacheControl: string): Response {
  const encoding = chooseEncoding(request.headers.get("accept-encoding"));
  const headers = headersOf(asset, encoding, cacheControl);
  const body = asset[BODIES[encoding]] as Uint8Array<ArrayBuffer>;
  return notModified(request, headers.ETag, headers) ?? new Response(body, { headers });
}

/** GET /cdn/*: the files of the widget, from this build and stored ones. */
export function assetRoutes({ widget, findEarlier }: ServedAssets) {
  let respond: ReturnType<typeof assetResponder> | undefined;
  return new Elysia().get("/cdn/*", async ({ request }) => {
    respond ??= assetResponder(await widget());
    const response = respond(request);
    if (response !== undefined) return response;
    const earlier = await findEarlier(new URL(request.url).pathname.slice(1));
    if (earlier === undefined) throw new ServiceError("NOT_FOUND", "There is no such asset.");
    return respondWith(earlier.asset, request, earlier.isExact ? FOR_EVER : ASK_AGAIN);
  });
}
