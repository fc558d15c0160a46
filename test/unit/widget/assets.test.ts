import { beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { Glob } from "bun";

import { packAssets, unpackAssets, widgetAssets } from "../../../src/widget/assets.ts";
import { minifyCss, type WidgetAsset } from "../../../src/widget/build.ts";
import { pinnableLoader } from "../../../src/widget/snippet.ts";

const STRINGS = `${import.meta.dir}/../../../src/widget/strings`;

let assets: readonly WidgetAsset[];
beforeAll(async () => {
  assets = await widgetAssets();
}, 60_000);

const sizesOf = (pattern: RegExp) =>
  Object.fromEntries(
    assets.filter(({ path }) => pattern.test(path)).map(({ path, brotli }) => [path, brotli.length]),
  );

const loaderSize = () => sizesOf(/^widget\.js$/)["widget.js"]!;

test("the loader, all that a page pays before anybody touches the widget, weighs at most 4,500 bytes", () => {
  expect(loaderSize()).toBeLessThanOrEqual(4500);
});

test("there is a panel for each language that has strings", () => {
  const spoken = [...new Glob("{??,??-????}.ts").scanSync(STRINGS)].map((file) => file.replace(".ts", ""));
  const panels = assets.flatMap(({ path }) => /^panel-(.+)-/.exec(path)?.[1] ?? []);
  expect(panels.toSorted()).toEqual(spoken.toSorted());
});

test("loader and panel weigh at most 24,000 bytes together in every language", () => {
  const sizes = Object.entries(sizesOf(/^panel-/));
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.filter(([, size]) => loaderSize() + size > 24_000)).toEqual([]);
});

/** Comes with the first message, so that it holds up neither the bubble nor the panel. */
test("ratings, hand-off and people who write weigh at most 6,144 bytes in every language of the panel", () => {
  const sizes = Object.entries(sizesOf(/^people-/));
  const languageOf = (path: string) => path.split("-").slice(1, -1).join("-");
  expect(sizes.map(([path]) => languageOf(path))).toEqual(Object.keys(sizesOf(/^panel-/)).map(languageOf));
  expect(sizes.filter(([, size]) => size > 6144)).toEqual([]);
});

test("the client weighs at most 3,000 bytes, packed by gzip", () => {
  const { gzip } = assets.find(({ path }) => path === "client.js")!;
  expect(gzip.length).toBeLessThanOrEqual(3000);
});

test("a template bundle weighs at most 10,000 bytes", () => {
  const sizes = Object.entries(sizesOf(/^templates\//));
  expect(sizes.map(([path]) => path)).toEqual(["templates/kiosk.js", "templates/minimal.js"]);
  expect(sizes.filter(([, size]) => size > 10_000)).toEqual([]);
});

test("all three encodings of an asset are the same content, and so is its integrity", () => {
  for (const { identity, brotli, gzip, integrity } of assets) {
    expect(Buffer.from(brotliDecompressSync(brotli)).equals(identity)).toBe(true);
    expect(Buffer.from(gunzipSync(gzip)).equals(identity)).toBe(true);
    expect(integrity).toBe(`sha384-${createHash("sha384").update(identity).digest("base64")}`);
  }
});

test("only names with a hash may be cached for ever", () => {
  for (const { path, immutable } of assets)
    expect([path, immutable]).toEqual([path, /-[\da-f]{8}\.js$/.test(path)]);
});

test("the loader of a hashed name is the one of the plain name", () => {
  const plain = assets.find(({ path }) => path === "widget.js")!;
  expect(pinnableLoader(assets).integrity).toBe(plain.integrity);
});

test("nothing in the assets looks for eval, innerHTML of ours or a third party", () => {
  const decoder = new TextDecoder();
  for (const { path, identity } of assets.filter(({ path: name }) =>
    /^(widget|panel|people|template|client\.js)/.test(name),
  )) {
    const text = decoder.decode(identity);
    expect([path, /\beval\(|new Function|document\.write/.test(text)]).toEqual([path, false]);
    const hosts = [...text.matchAll(/https?:\/\/([\w.-]+\.\w+)/g)].map(([, host]) => host);
    expect([path, hosts.filter((host) => host !== "www.w3.org")]).toEqual([path, []]);
  }
});

test("packed and unpacked, assets are what they were", () => {
  expect(unpackAssets(packAssets(assets.slice(0, 3)))).toEqual(assets.slice(0, 3));
});

test.each([
  ["a  {\n  color : red;\n}\n", "a{color :red}"],
  ["/* note */ a { margin: 0.5px -0.5px }", "a{margin:.5px -.5px}"],
  ["a , b > c { top: calc(1px + 2px) }", "a,b>c{top:calc(1px + 2px)}"],
  ["@media (a: b) and (c: d) { x { y: z } }", "@media (a:b) and (c:d){x{y:z}}"],
])("minifies %p", (css, minified) => {
  expect(minifyCss(css)).toBe(minified);
});
