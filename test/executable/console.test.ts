import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";

import { emptyFolder, serveExecutable } from "../support/executable.ts";

let folder: string;
beforeEach(() => void (folder = emptyFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

test("the console comes out of the executable, with all that its page names", async () => {
  await using serving = await serveExecutable(folder);
  const page = await fetch(serving.operatorUrl, { headers: { Accept: "text/html" } });
  const html = await page.text();
  const paths = Array.from(html.matchAll(/"(\/assets\/[^"]+)"/g), ([, path]) => path!);
  expect(paths.map((path) => path.slice(path.lastIndexOf(".")))).toEqual([".css", ".js"]);
  const script = await (await fetch(`${serving.operatorUrl}${paths[1]}`)).text();
  const parts = new Set(Array.from(script.matchAll(/part-\w+\.js/g), ([name]) => name));
  expect(parts.size).toBeGreaterThan(5);
  for (const path of [...paths, ...Array.from(parts, (name) => `/assets/${name}`)]) {
    expect([path, (await fetch(`${serving.operatorUrl}${path}`)).status]).toEqual([path, 200]);
  }
});
