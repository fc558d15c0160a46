import { createHash } from "node:crypto";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import type { BunPlugin } from "bun";
import { minify } from "oxc-minify";

import { integrityOf } from "./integrity.ts";

/** A file for browsers, of the widget or the console, in three encodings. */
export interface WidgetAsset {
  /** Path below `/cdn/`, or below `/assets/` of the operator listener. */
  path: string;
  contentType: string;
  /** The name contains a hash of the content, so that it may be cached for ever. */
  immutable: boolean;
  /** Subresource Integrity value of the content (SHA-384). */
  integrity: string;
  identity: Uint8Array;
  brotli: Uint8Array;
  gzip: Uint8Array;
}

const HERE = import.meta.dir;
const JAVASCRIPT = "text/javascript; charset=utf-8";
const TYPES = "text/plain; charset=utf-8";
const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ar", "ja", "zh", "zh-hant"];

/** Removes comments and white space only. A real CSS minifier would replace logical properties. */
export function minifyCss(css: string): string {
  return css
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>!]) ?/g, "$1")
    .replace(/: /g, ":")
    .replace(/([ (:,-])0\./g, "$1.")
    .replace(/\( | (?=\))/g, (space) => space.trim())
    .replaceAll(";}", "}")
    .trim();
}

const cssAsMinifiedText: BunPlugin = {
  name: "css-as-minified-text",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => ({
      loader: "text",
      contents: minifyCss(await Bun.file(path).text()),
    }));
  },
};

/** Replaces the imports of English texts by another language's. */
const speaking = (language: string): BunPlugin => ({
  name: "strings-of-one-language",
  setup(build) {
    build.onResolve({ filter: /strings\/(people\/)?en\.ts$/ }, ({ path }) => ({
      path: join(HERE, path.includes("/people/") ? "strings/people" : "strings", `${language}.ts`),
    }));
  },
});

/** Chunks loaded by the panel share its Preact and its stream reader. */
const borrowing: BunPlugin = {
  name: "borrowing-from-the-panel",
  setup(build) {
    build.onResolve({ filter: /^preact$|read-events\.ts$/ }, () => ({
      path: join(HERE, "people/borrowed.ts"),
    }));
  },
};

interface BundleOptions {
  format: "iife" | "esm";
  plugins?: BunPlugin[];
  define?: Record<string, string>;
}

/** Bundled by Bun and minified by Oxc, whose output is smaller. */
async function bundle(entry: string, options: BundleOptions): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(HERE, entry)],
    target: "browser",
    minify: { syntax: true },
    format: options.format,
    plugins: [cssAsMinifiedText, ...(options.plugins ?? [])],
    define: { "process.env.NODE_ENV": '"production"', ...options.define },
  });
  const { code, errors } = await minify(entry.replace(/\w+$/, "js"), await outputs[0]!.text(), {
    mangle: { toplevel: options.format === "esm" },
  });
  if (errors[0]) throw new Error(errors[0].message);
  return code.trim();
}

/** Encodes a text in three ways. */
export function asset(path: string, contentType: string, text: string, immutable: boolean): WidgetAsset {
  const identity = new TextEncoder().encode(text);
  return {
    path,
    contentType,
    immutable,
    integrity: integrityOf(identity),
    identity,
    brotli: packByBrotli(identity),
    gzip: new Uint8Array(gzipSync(identity, { level: 9 })),
  };
}

/** Length in bytes up to which all Brotli settings are tried; chosen by hand, because longer texts take too long. */
const SHORT_TEXT = 16_384;

/**
 * The smallest result of several Brotli settings: font mode packs most long scripts better, and the distance parameters (RFC 7932, 4) save
 * some bytes of short ones.
 */
function packByBrotli(identity: Uint8Array): Uint8Array {
  const postfixBits = identity.length < SHORT_TEXT ? [0, 1, 2, 3] : [0];
  const packed = [constants.BROTLI_MODE_GENERIC, constants.BROTLI_MODE_FONT].flatMap((mode) =>
    postfixBits.map((bits) =>
      brotliCompressSync(identity, {
        params: {
          [constants.BROTLI_PARAM_MODE]: mode,
          [constants.BROTLI_PARAM_NPOSTFIX]: bits,
          [constants.BROTLI_PARAM_NDIRECT]: bits && 8 << bits,
        },
      }),
    ),
  );
  return new Uint8Array(packed.toSorted((one, other) => one.length - other.length)[0]!);
}

/** Hash of a content for its file name: 32 bits in hexadecimal. */
export const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);

function hashed(name: string, extension: string, contentType: string, text: string): WidgetAsset {
  return asset(`${name}-${shortHash(text)}.${extension}`, contentType, text, true);
}

async function buildTemplateHost(): Promise<WidgetAsset> {
  return hashed("template", "js", JAVASCRIPT, await bundle("panel/template.ts", { format: "esm" }));
}

interface Spoken {
  hash: string;
  chunks: WidgetAsset[];
}

/** One chunk per language, all named after one hash, so that the loader only needs that hash. */
async function buildSpoken(
  name: string,
  { plugins = [], define = {} }: Omit<BundleOptions, "format">,
): Promise<Spoken> {
  const texts = await Promise.all(
    LANGUAGES.map((language) =>
      bundle(`${name}/main.tsx`, { format: "esm", plugins: [speaking(language), ...plugins], define }),
    ),
  );
  const hash = shortHash(texts.join(""));
  const chunks = texts.map((text, at) =>
    asset(`${name}-${LANGUAGES[at]}-${hash}.js`, JAVASCRIPT, text, true),
  );
  return { hash, chunks };
}

async function buildLoader(panelHash: string): Promise<WidgetAsset[]> {
  const define = { PANEL_HASH: JSON.stringify(panelHash), LANGUAGES: JSON.stringify(LANGUAGES.join(" ")) };
  const text = await bundle("loader/main.ts", { format: "iife", define });
  return [asset("widget.js", JAVASCRIPT, text, false), hashed("widget", "js", JAVASCRIPT, text)];
}

async function buildTemplates(): Promise<WidgetAsset[]> {
  const kiosk = await bundle("templates/kiosk.ts", { format: "esm" });
  const minimal = await Bun.file(join(HERE, "templates/minimal.js")).text();
  return [
    asset("templates/kiosk.js", JAVASCRIPT, kiosk, false),
    // Not minified: the documentation refers to this file as a starting point.
    asset("templates/minimal.js", JAVASCRIPT, minimal, false),
  ];
}

async function buildDemo(): Promise<WidgetAsset[]> {
  const script = await bundle("demo/demo.ts", { format: "esm" });
  const styles = minifyCss(await Bun.file(join(HERE, "demo/demo.css")).text());
  return [
    asset("demo.js", JAVASCRIPT, script, false),
    asset("demo.css", "text/css; charset=utf-8", styles, false),
  ];
}

/** The client library for other programs and pages. */
async function buildClient(): Promise<WidgetAsset[]> {
  const script = await bundle("../client/main.ts", { format: "esm" });
  const types = await Bun.file(join(HERE, "../client/public.d.ts")).text();
  return [asset("client.js", JAVASCRIPT, script, false), asset("client.d.ts", TYPES, types, false)];
}

/** Bundles everything under `/cdn/…` from the sources; takes about two seconds. */
export async function buildWidgetAssets(): Promise<WidgetAsset[]> {
  const templateHost = await buildTemplateHost();
  const people = await buildSpoken("people", { plugins: [borrowing] });
  const define = {
    TEMPLATE_FILE: JSON.stringify(templateHost.path),
    PEOPLE_HASH: JSON.stringify(people.hash),
  };
  const panels = await buildSpoken("panel", { define });
  const types = await Bun.file(join(HERE, "public.d.ts")).text();
  return [
    ...(await buildLoader(panels.hash)),
    ...panels.chunks,
    ...people.chunks,
    templateHost,
    ...(await buildTemplates()),
    ...(await buildDemo()),
    asset("widget.d.ts", TYPES, types, false),
    ...(await buildClient()),
  ];
}
