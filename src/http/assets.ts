import type { WidgetAsset } from "../widget/build.ts";

const YEAR_S = 31_536_000;
const SHORT_S = 300;

type Encoding = "br" | "gzip" | "identity";

/** The best encoding that the client accepts (RFC 9110 §12.5.3); `identity` unless br or gzip are named. */
export function chooseEncoding(acceptEncoding: string | null): Encoding {
  const accepted = new Set<string>();
  for (const item of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [name, ...parameters] = item.split(";").map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name!);
  }
  if (accepted.has("br")) return "br";
  return accepted.has("gzip") ? "gzip" : "identity";
}

const BODIES = { br: "brotli", gzip: "gzip", identity: "identity" } as const;

/** Each encoding is its own representation, and so has its own validator (RFC 9110 §8.8.3.3). */
const etagOf = (asset: WidgetAsset, encoding: Encoding) => `"${asset.integrity.slice(7, 31)}-${encoding}"`;

function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}

function headersOf(asset: WidgetAsset, encoding: Encoding): Headers {
  const headers = new Headers({
    "Content-Type": asset.contentType,
    "Cache-Control": asset.immutable ? `public, max-age=${YEAR_S}, immutable` : `public, max-age=${SHORT_S}`,
    ETag: etagOf(asset, encoding),
    Vary: "Accept-Encoding",
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
  });
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  return headers;
}

function serve(asset: WidgetAsset, request: Request): Response {
  const encoding = chooseEncoding(request.headers.get("accept-encoding"));
  const headers = headersOf(asset, encoding);
  if (matches(request.headers.get("if-none-match"), etagOf(asset, encoding))) {
    return new Response(null, { status: 304, headers });
  }
  const body = asset[BODIES[encoding]];
  headers.set("Content-Length", String(body.length));
  return new Response(request.method === "HEAD" ? null : (body as Uint8Array<ArrayBuffer>), { headers });
}

/**
 * Answers GET and HEAD for `/cdn/…`: compressed, revalidated by ETag, hashed names cached for ever, readable from any
 * origin. Undefined for anything else, which the caller answers with its own 404 or 405.
 */
export function assetResponder(assets: readonly WidgetAsset[]): (request: Request) => Response | undefined {
  const byPath = new Map(assets.map((asset) => [`/cdn/${asset.path}`, asset]));
  return (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") return undefined;
    const asset = byPath.get(new URL(request.url).pathname);
    return asset === undefined ? undefined : serve(asset, request);
  };
}
