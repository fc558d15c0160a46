import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { joinStyles } from "../../../src/console/build.ts";

const CONSOLE = join(import.meta.dir, "../../../src/console");

async function sources(pattern: string): Promise<(readonly [file: string, text: string])[]> {
  const files = Array.from(new Bun.Glob(pattern).scanSync(CONSOLE)).toSorted();
  return Promise.all(files.map(async (file) => [file, await Bun.file(join(CONSOLE, file)).text()] as const));
}

const offences = (files: readonly (readonly [string, string])[], forbidden: RegExp) =>
  files.flatMap(([file, text]) =>
    text
      .split("\n")
      .flatMap((line, at) => (forbidden.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
  );

describe("changes", () => {
  test("are made through the action layer, which alone words a failure", async () => {
    const files = (await sources("**/*.{ts,tsx}")).filter(([file]) => file !== "toasts.ts");
    expect(files.length).toBeGreaterThan(50);
    expect(offences(files, /sayFault\(.*asProblem|\bsayFault\(await /)).toEqual([]);
  });
});

describe("style sheets", () => {
  test("take every colour and every length in pixels from the tokens", async () => {
    const all = [...(await sources("**/*.css")), ...(await sources("editor/code-editor.ts"))];
    const files = all.filter(([file]) => file !== "styles/tokens.css");
    expect(files.length).toBeGreaterThan(10);
    const raw = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|color-mix|light-dark)\(|\d(?:px)\b/i;
    expect(offences(files, raw)).toEqual([]);
    expect(offences(files, /font-size:\s*[\d.]+rem/)).toEqual([]);
  });

  test("name only tokens that exist", async () => {
    const files = await sources("**/*.{css,ts,tsx}");
    const tokens = files.find(([file]) => file === "styles/tokens.css")![1];
    const known = new Set(Array.from(tokens.matchAll(/^\s*(--[\w-]+):/gm), ([, name]) => name!));
    const used = files.flatMap(([file, text]) =>
      Array.from(text.matchAll(/var\((--[\w-]+)\)/g), ([, name]) => `${file} ${name}`),
    );
    expect(used.filter((each) => !known.has(each.split(" ")[1]!))).toEqual([]);
  });

  test("have one order of layers, declared once, and no rule outside of it", async () => {
    const css = await joinStyles();
    expect(css).toStartWith("@layer tokens,base,parts,screens,pages;");
    let rest = css.slice(css.indexOf(";") + 1);
    const names: string[] = [];
    while (rest !== "") {
      const [opening, name] = /^@layer ([a-z]+)\{/.exec(rest) ?? [];
      expect([rest.slice(0, 40), name]).not.toContain(undefined);
      let [depth, at] = [1, opening!.length];
      for (; depth > 0; at++) depth += rest[at] === "{" ? 1 : rest[at] === "}" ? -1 : 0;
      names.push(name!);
      rest = rest.slice(at);
    }
    expect([...new Set(names)]).toEqual(["tokens", "base", "parts", "screens", "pages"]);
  });
});
