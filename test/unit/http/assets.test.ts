import { beforeAll, expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";

import { assetResponder, chooseEncoding } from "../../../src/http/assets.ts";
import { widgetAssets } from "../../../src/widget/assets.ts";

let respond: ReturnType<typeof assetResponder>;
let panel: string;
beforeAll(async () => {
  const assets = await widgetAssets();
  respond = assetResponder(assets);
  panel = assets.find(({ path }) => path.startsWith("panel-en"))!.path;
});

const get = (path: string, headers: Record<string, string> = {}) =>
  respond(new Request(`http://localhost/cdn/${path}`, { headers }));

test.each<[string | null, "br" | "gzip" | "identity"]>([
  ["gzip, deflate, br", "br"],
  ["gzip;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.0,gzip;q=0", "identity"],
  ["*", "identity"],
  ["", "identity"],
  [null, "identity"],
  ["GZIP", "gzip"],
])("of %p it chooses %s", (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
});

test("a name with a hash is cached for ever, loader and client for minutes", () => {
  expect(get(panel)!.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  for (const name of ["widget.js", "client.js", "client.d.ts"])
    expect([name, get(name)!.headers.get("cache-control")]).toEqual([name, "public, max-age=300"]);
});

test("any origin may load it as what it is, and as nothing else", () => {
  const { headers } = get(panel)!;
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
});

test("each encoding has its own ETag, and answers 304 to it alone", async () => {
  const br = get("widget.js", { "accept-encoding": "br" })!;
  const gzip = get("widget.js", { "accept-encoding": "gzip" })!;
  expect(br.headers.get("etag")).not.toBe(gzip.headers.get("etag"));
  expect(br.headers.get("vary")).toBe("Accept-Encoding");
  const etag = br.headers.get("etag")!;
  const again = get("widget.js", { "accept-encoding": "br", "if-none-match": `"x", W/${etag}` })!;
  expect([again.status, await again.text()]).toEqual([304, ""]);
  expect(get("widget.js", { "accept-encoding": "gzip", "if-none-match": etag })!.status).toBe(200);
});

test("a compressed body unpacks to the plain one", async () => {
  const br = await get(panel, { "accept-encoding": "br" })!.bytes();
  const plain = await get(panel)!.bytes();
  expect(Buffer.from(brotliDecompressSync(br)).equals(plain)).toBe(true);
});

test.each(["nothing.js", "../package.json", "%2e%2e/package.json", ""])("there is no %p", (path) => {
  expect(get(path)).toBeUndefined();
});
