import { beforeEach, expect, test } from "bun:test";

import { EarlierAssets } from "../../../src/http/earlier-assets.ts";
import type { KeptFile } from "../../../src/store/interface/assets.ts";
import type { WidgetAsset } from "../../../src/widget/build.ts";
import { script } from "../../support/builds.ts";

let reads: { lists: number; contents: number };
let logged: unknown[];
let kept: KeptFile[];
let contents: Map<string, Uint8Array>;
let earlier: EarlierAssets;

beforeEach(() => {
  reads = { lists: 0, contents: 0 };
  logged = [];
  kept = [];
  contents = new Map();
  earlier = new EarlierAssets({
    store: {
      listFiles: async () => {
        reads.lists += 1;
        return [...kept];
      },
      findContent: async (integrity) => {
        reads.contents += 1;
        return contents.get(integrity);
      },
    },
    log: { error: (...line: unknown[]) => void logged.push(line) },
    steadyNow: () => performance.now(),
  });
});

function keep(...files: readonly WidgetAsset[]): void {
  for (const { path, integrity, brotli } of files) {
    kept.push({ path: `cdn/${path}`, integrity });
    contents.set(integrity, brotli);
  }
}

const textOf = (found: { asset: WidgetAsset } | undefined) =>
  found && new TextDecoder().decode(found.asset.identity);

test("a file that was opened once is read no more", async () => {
  const panel = script("panel-en", "panel of one");
  keep(panel);
  for (let n = 0; n < 3; n += 1) expect(textOf(await earlier.find(`cdn/${panel.path}`))).toBe("panel of one");
  expect(reads).toEqual({ lists: 1, contents: 1 });
});

test("many who ask for what is gone at the same time have the store read once", async () => {
  keep(script("panel-en", "panel of two"));
  const names = Array.from({ length: 50 }, (_, n) => `cdn/panel-en-${String(n).padStart(8, "0")}.js`);
  const found = await Promise.all(names.map((name) => earlier.find(name)));
  expect(new Set(found.map(textOf))).toEqual(new Set(["panel of two"]));
  expect(found.every((each) => each?.isExact === false)).toBe(true);
  expect(reads).toEqual({ lists: 1, contents: 1 });
});

test("a build that went meanwhile gives way to the nearest later one", async () => {
  const [gone, later] = [script("panel-en", "panel of one"), script("panel-en", "panel of two")];
  keep(gone);
  await earlier.find("cdn/panel-de-00000000.js");
  kept = [];
  contents.clear();
  keep(later);
  expect(await earlier.find(`cdn/${gone.path}`)).toMatchObject({ isExact: false });
  expect(textOf(await earlier.find(`cdn/${gone.path}`))).toBe("panel of two");
});

test("nothing stands in for another language, or another purpose", async () => {
  keep(script("panel-en", "panel of two"), script("people-de", "people of two"));
  expect(await earlier.find("cdn/panel-de-00000000.js")).toBeUndefined();
  expect(textOf(await earlier.find("cdn/people-de-00000000.js"))).toBe("people of two");
});

test("names that no build gives are not looked for", async () => {
  for (const path of ["cdn/x.js", "cdn/../assets/part-00000000.js", "cdn/panel-en-00000000.html", "api/v1"])
    expect(await earlier.find(path)).toBeUndefined();
  expect(reads.lists).toBe(0);
});

test.each([
  ["is no Brotli", new TextEncoder().encode("alert(1)")],
  ["unpacks to something else", script("panel-en", "alert(1)").brotli],
])("what %s is not served, and is said", async (_, bytes) => {
  const panel = script("panel-en", "panel of one");
  keep(panel);
  contents.set(panel.integrity, bytes);
  expect(await earlier.find(`cdn/${panel.path}`)).toBeUndefined();
  expect(logged[0]).toMatchObject([{ integrity: panel.integrity }, expect.stringContaining("damaged")]);
});
