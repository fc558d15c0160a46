import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { originOf } from "../../../src/build/origin.ts";
import { describeVersion, VERSION } from "../../../src/domain/version.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "parley-origin-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const AUTHOR = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];

function git(...args: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(["git", "-C", folder, ...AUTHOR, ...args], {
    env: { ...process.env, GIT_COMMITTER_DATE: "2026-11-22T23:30:00-05:00" },
  });
  if (!success) throw new Error(stderr.toString());
  return stdout.toString().trim();
}

function commitOneFile(): string {
  git("init", "--quiet");
  writeFileSync(join(folder, "file"), "1");
  git("add", "file");
  git("commit", "--quiet", "--message", "one");
  return git("rev-parse", "HEAD");
}

describe("an executable knows", () => {
  test("its commit, and the day of it in UTC", () => {
    const commit = commitOneFile().slice(0, 10);
    expect(originOf(folder)).toEqual({ kind: "commit", commit, date: "2026-11-23", isChanged: false });
  });

  test.each([
    ["a file was changed", "file"],
    ["a file was added", "other"],
  ])("that it has more than its commit where %s", (_, name) => {
    commitOneFile();
    writeFileSync(join(folder, name), "2");
    expect(originOf(folder)).toMatchObject({ kind: "commit", isChanged: true });
  });

  test("that it was built outside git", () => {
    expect(originOf(folder)).toEqual({ kind: "outside-git" });
  });

  test("that a repository around it is not its own", () => {
    commitOneFile();
    mkdirSync(join(folder, "unpacked"));
    expect(originOf(join(folder, "unpacked"))).toEqual({ kind: "outside-git" });
  });

  test("that a repository without a commit says nothing", () => {
    git("init", "--quiet");
    expect(originOf(folder)).toEqual({ kind: "outside-git" });
  });
});

test.each([
  [{ kind: "source" }, VERSION],
  [{ kind: "outside-git" }, `${VERSION} (built outside git, commit unknown)`],
  [
    { kind: "commit", commit: "abc1234567", date: "2026-11-22", isChanged: false },
    `${VERSION} (abc1234567, 2026-11-22)`,
  ],
  [
    { kind: "commit", commit: "abc1234567", date: "2026-11-22", isChanged: true },
    `${VERSION} (abc1234567 with uncommitted changes, 2026-11-22)`,
  ],
] as const)("%j prints %s", (origin, line) => {
  expect(describeVersion(origin)).toBe(line);
});
