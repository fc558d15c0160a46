import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MAX_BOT_FILE_BYTES, readAtMost, readBotSources } from "../../../src/seed/bot-sources.ts";
import { formatProblem } from "../../../src/seed/problem.ts";

let folder: string;
const noStdin = (): Promise<Uint8Array> => Promise.reject(new Error("stdin was read"));

const stdin = (text: string) => () => Promise.resolve(new TextEncoder().encode(text));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bot-sources-"));
  const write = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content);
  await Promise.all(
    ["bots/deep", "bots/.git", "bots/empty", "odd"].map((name) =>
      mkdir(join(folder, name), { recursive: true }),
    ),
  );
  await Promise.all([
    write("bots/b.yaml", "id: b"),
    write("bots/a.yml", "id: a"),
    write("bots/c.JSON", "{}"),
    write("bots/deep/d.yaml", "id: d"),
    write("bots/.hidden.yaml", "id: hidden"),
    write("bots/.git/e.yaml", "id: e"),
    write("bots/readme.md", "# no bot"),
    write("odd/bom.yaml", "\uFEFFid: bom"),
    write("odd/latin1.yaml", Buffer.from("id: a\nname: \xE9t\xE9\n", "latin1")),
    write("odd/utf16.yaml", Buffer.from("\uFEFFid: a\n", "utf16le")),
    write("odd/big.yaml", new Uint8Array(MAX_BOT_FILE_BYTES + 1).fill(35)),
    symlink("..", join(folder, "bots/deep/loop")),
    symlink("self", join(folder, "odd/self")),
  ]);
});
afterAll(() => rm(folder, { recursive: true }));

async function read(...paths: string[]): Promise<{ names: string[]; problems: string[]; texts: string[] }> {
  const { sources, problems } = await readBotSources(
    paths.map((path) => join(folder, path)),
    noStdin,
  );
  return {
    names: sources.map(({ name }) => name.slice(folder.length + 1)),
    texts: sources.map(({ text }) => text),
    problems: problems.map((problem) => formatProblem(problem).slice(folder.length + 1)),
  };
}

describe("bot files", () => {
  test("of a folder and below it are read in order, hidden and other files left out, loops ended", async () => {
    const { names, problems } = await read("bots");
    expect(names).toEqual(["bots/a.yml", "bots/b.yaml", "bots/c.JSON", "bots/deep/d.yaml"]);
    expect(problems).toEqual([]);
  });

  test("named twice are read once", async () => {
    expect((await read("bots/b.yaml", "bots/./b.yaml", "bots")).names).toEqual([
      "bots/b.yaml",
      "bots/a.yml",
      "bots/c.JSON",
      "bots/deep/d.yaml",
    ]);
  });

  test("of any name are read when named", async () => {
    expect(await read("bots/readme.md")).toEqual({
      names: ["bots/readme.md"],
      texts: ["# no bot"],
      problems: [],
    });
  });

  test("lose their byte order mark", async () => {
    expect((await read("odd/bom.yaml")).texts).toEqual(["id: bom"]);
  });

  test.each([
    ["nowhere.yaml", "nowhere.yaml: there is no such file or folder"],
    ["bots/b.yaml/x", "bots/b.yaml/x: there is no such file: a part of the path is not a folder"],
    ["bots/empty", "bots/empty: this folder holds no *.yaml, *.yml or *.json file"],
    ["odd/self", "odd/self: its symbolic links lead in a circle"],
    ["odd/latin1.yaml", "odd/latin1.yaml:2:7: this byte is not UTF-8; save the file as UTF-8"],
    ["odd/utf16.yaml", "odd/utf16.yaml: this file is UTF-16; save it as UTF-8"],
    ["odd/big.yaml", "odd/big.yaml: larger than 8 MiB; split it into a file for each bot"],
  ])("report %s", async (path, problem) => {
    expect(await read(path)).toEqual({ names: [], texts: [], problems: [problem] });
  });

  test("come from standard input for a hyphen", async () => {
    expect(await readBotSources(["-", "-"], stdin("id: é"))).toEqual({
      sources: [{ name: "stdin", text: "id: é" }],
      problems: [],
    });
  });

  test("from standard input are read no further than a bot file may go", async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 65_536;
        yield new Uint8Array(65_536).fill(35);
      }
    }
    const { problems } = await readBotSources(["-"], (most) => readAtMost(endless(), most));
    expect(problems.map(formatProblem)).toEqual([
      "stdin: larger than 8 MiB; split it into a file for each bot",
    ]);
    expect(given).toBeLessThanOrEqual(MAX_BOT_FILE_BYTES + 65_536);
    const tooBig = await readBotSources(["-"], stdin("#".repeat(MAX_BOT_FILE_BYTES + 1)));
    expect(tooBig.problems.map(formatProblem)).toEqual([
      "stdin: larger than 8 MiB; split it into a file for each bot",
    ]);
  });
});
