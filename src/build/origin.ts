import { realpathSync } from "node:fs";

import type { Origin } from "../domain/version.ts";

const COMMIT_LENGTH = 10;

/**
 * The commit that the sources in `folder` are of. They are outside git where there is no git, and where the repository is that of
 * a folder around them, whose commits say nothing of Parley.
 */
export function originOf(folder: string): Origin {
  const root = git(folder, "rev-parse", "--show-toplevel");
  const head = git(
    folder,
    "log",
    "-1",
    `--abbrev=${COMMIT_LENGTH}`,
    "--date=format-local:%F",
    "--format=%h %cd",
  );
  const changes = git(folder, "status", "--porcelain");
  if (root === undefined || head === undefined || changes === undefined) return { kind: "outside-git" };
  if (realpathSync(root) !== realpathSync(folder)) return { kind: "outside-git" };
  const [commit = "", date = ""] = head.split(" ");
  return { kind: "commit", commit, date, isChanged: changes !== "" };
}

/** The output of git; undefined if it is not installed, or fails. */
function git(folder: string, ...args: string[]): string | undefined {
  if (Bun.which("git") === null) return undefined;
  const { success, stdout } = Bun.spawnSync(["git", "-C", folder, ...args], {
    env: { ...process.env, TZ: "UTC" },
    stderr: "ignore",
  });
  return success ? stdout.toString().trim() : undefined;
}
