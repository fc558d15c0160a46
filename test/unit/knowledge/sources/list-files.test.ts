import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { listFiles } from "../../../../src/knowledge/sources/files/list-files.ts";

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-sources-"));
  folder = join(root, "bot");
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), "text");
}

async function list(path: string) {
  const listed = await listFiles(folder, { path });
  if ("fault" in listed) return listed.fault;
  return [
    ...listed.files.map(({ place }) => place),
    ...[...listed.skipped, ...listed.unreadable].map(({ place, reason }) => `${place} ${reason}`),
  ];
}

describe("the files of a source", () => {
  test("are those of a folder and below it, sorted, without hidden ones", async () => {
    for (const path of [
      "docs/b.md",
      "docs/a/c.PDF",
      "docs/a/.hidden.md",
      "docs/.git/x.md",
      "docs/z.png",
      "other.md",
    ])
      write(`bot/${path}`);
    expect(await list("docs")).toEqual([
      "docs/a/c.PDF",
      "docs/b.md",
      "docs/z.png is not Markdown, HTML, text, PDF, DOCX, CSV or JSON",
    ]);
    expect(await list("docs/b.md")).toEqual(["docs/b.md"]);
    expect(await list(".")).toContain("other.md");
  });

  test("are none outside the bot file's folder, whatever links say", async () => {
    write("secret.md");
    write("bot/docs/own.md");
    symlinkSync(join(root, "secret.md"), join(folder, "docs/link.md"));
    symlinkSync(root, join(folder, "docs/up"));
    symlinkSync("/etc", join(folder, "etc"));
    expect(await list("docs")).toEqual([
      "docs/own.md",
      "docs/link.md leads out of the bot file's folder",
      "docs/up leads out of the bot file's folder",
    ]);
    expect(await list("etc")).toBe("leads out of the bot file's folder");
    expect(await list("../secret.md")).toBe("leads out of the bot file's folder");
  });

  test("are not those of a folder whose name begins alike", async () => {
    write("bot-other/secret.md");
    symlinkSync(join(root, "bot-other"), join(folder, "docs"));
    expect(await list("docs")).toBe("leads out of the bot file's folder");
  });

  test("are each listed once, also where links lead in a circle", async () => {
    write("bot/docs/a.md");
    symlinkSync("a.md", join(folder, "docs/b.md"));
    symlinkSync(".", join(folder, "docs/loop"));
    symlinkSync("gone.md", join(folder, "docs/c.md"));
    symlinkSync("self.md", join(folder, "docs/self.md"));
    expect(await list("docs")).toEqual([
      "docs/a.md",
      "docs/c.md there is no such file or folder",
      "docs/self.md its symbolic links lead in a circle",
    ]);
  });

  test("are no pipes and no devices", async () => {
    mkdirSync(join(folder, "docs"));
    expect(Bun.spawnSync(["mkfifo", join(folder, "docs/pipe.md")]).success).toBe(true);
    expect(await list("docs")).toEqual(["docs/pipe.md is neither a file nor a folder"]);
  });

  test("are named with the reason where they cannot be read", async () => {
    expect(await list("docs")).toBe("there is no such file or folder");
    write("bot/picture.png");
    expect(await list("picture.png")).toBe("is not Markdown, HTML, text, PDF, DOCX, CSV or JSON");
    expect(await listFiles(join(root, "nowhere"), { path: "docs" })).toEqual({
      fault: "there is no such file or folder",
    });
  });

  test.skipIf(process.getuid?.() === 0)(
    "are skipped below a folder that this user may not read",
    async () => {
      write("bot/docs/closed/a.md");
      write("bot/docs/b.md");
      chmodSync(join(folder, "docs/closed"), 0);
      expect(await list("docs")).toEqual([
        "docs/b.md",
        "docs/closed this user may not read it; check its permissions",
      ]);
      chmodSync(join(folder, "docs/closed"), 0o700);
    },
  );
});
