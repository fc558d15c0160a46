import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { accessCure } from "../../../src/store/sqlite/usable-folder.ts";
import { CliFixture } from "../../support/cli.ts";

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => {
  if (existsSync(cli.data)) chmodSync(cli.data, 0o700);
  cli[Symbol.dispose]();
});

const COMMANDS = [
  "backup",
  "restore FILE",
  "bot list",
  "token list",
  "chat acme",
  "seed -",
  "serve --port 0 --operator-port 0 --log-level silent",
  "serve --must-exist",
  "serve --demo",
];

/** Runs a command; FILE in it is a file that is there. */
function run(command: string) {
  const file = join(cli.folder, "file.db");
  writeFileSync(file, "some text");
  const stdin = JSON.stringify({ id: "acme", name: "Acme", allowedDomains: ["example.com"] });
  return cli.run(command.replace("FILE", file).split(" "), { stdin });
}

test.each(COMMANDS)("`%s` says that --data is not a folder", async (command) => {
  writeFileSync(cli.data, "a file");
  expect(await run(command)).toEqual({
    exitCode: 3,
    stdout: "",
    stderr: `error: ${cli.data} is not a folder; choose another one with --data\n`,
  });
});

test.each(COMMANDS)("`%s` says that parley.db is not a file, and what to do", async (command) => {
  mkdirSync(join(cli.data, "parley.db"), { recursive: true });
  expect(await run(command)).toEqual({
    exitCode: 3,
    stdout: "",
    stderr: `error: ${join(cli.data, "parley.db")} is not a file; move it away, and restore a backup with \`parley restore\`\n`,
  });
});

test("who may not use a folder is told who may", () => {
  expect(accessCure("data", 0, 65534)).toBe(
    "run this command as the user that owns it (uid 0), or give it to this user with chown",
  );
  expect(accessCure("data", 7, 7)).toBe("its owner has no right to it: chmod u+rwX data");
});

/** Runs a command as a process of a user who owns nothing. */
function runAsNobody(...args: string[]) {
  const command = [process.execPath, "src/main.ts", ...args, "--data", cli.data];
  const { exitCode, stderr } = Bun.spawnSync(["setpriv", "--reuid=65534", "--clear-groups", ...command]);
  return { exitCode, stderr: stderr.toString() };
}

describe.if(process.getuid?.() === 0 && Bun.which("setpriv") !== null)("another user", () => {
  beforeEach(async () => {
    await cli.seed("acme");
    chmodSync(cli.folder, 0o755);
  });

  test.each(["bot list", "backup", "serve"])("is named the owner of the folder: %s", (command) => {
    const { exitCode, stderr } = runAsNobody(...command.split(" "));
    expect(stderr).toBe(
      `error: ${cli.data} cannot be read by this user (EACCES); ${accessCure(cli.data, 0, 65534)}\n`,
    );
    expect(exitCode).toBe(3);
  });

  test("is named the owner where the folder is open and cannot be written", () => {
    chmodSync(cli.data, 0o755);
    chmodSync(join(cli.data, "parley.db"), 0o644);
    const { exitCode, stderr } = runAsNobody("backup");
    expect(stderr).toContain(
      `error: ${join(cli.data, "backups")} cannot be made by this user (EACCES); ${accessCure(cli.data, 0, 65534)}`,
    );
    expect(exitCode).toBe(3);
  });
});

describe("a folder for backups that is none", () => {
  beforeEach(() => cli.seed("acme"));

  test("for its disk is not mounted", async () => {
    symlinkSync("/nowhere/x", join(cli.data, "backups"));
    expect(await cli.run(["backup"])).toMatchObject({
      exitCode: 3,
      stderr: `error: ${join(cli.data, "backups")} points to /nowhere/x, which is not there; mount it, or remove the link\n`,
    });
  });

  test("but a file", async () => {
    writeFileSync(join(cli.data, "backups"), "mine");
    const { exitCode, stderr } = await cli.run(["backup"]);
    expect(stderr).toContain("backups is not a folder; move it away");
    expect(exitCode).toBe(3);
    rmSync(join(cli.data, "backups"));
    expect((await cli.run(["backup"])).exitCode).toBe(0);
  });
});

/** Whether this process may mount in a namespace of its own, which ends with the command. */
const mayMount =
  Bun.which("unshare") !== null &&
  Bun.spawnSync(["unshare", "--mount", "--map-root-user", "true"], { stderr: "ignore" }).success;

describe.if(mayMount)("a disk that is mounted read-only", () => {
  test.each(["bot list", "seed -", "serve --port 0 --operator-port 0 --log-level silent"])(
    "is named with what to do: %s",
    async (command) => {
      await cli.seed("acme");
      const { data } = cli;
      const parley = `${process.execPath} src/main.ts ${command} --data`;
      const runReadOnly = (folder: string) =>
        Bun.spawnSync(
          [
            "unshare",
            "--mount",
            "--map-root-user",
            "sh",
            "-c",
            `mount --bind ${data} ${data} && mount -o remount,bind,ro ${data} && ${parley} ${folder}`,
          ],
          {
            stdin: Buffer.from(JSON.stringify({ id: "acme", name: "Acme", allowedDomains: ["*"] })),
          },
        );
      for (const folder of [data, ...(command === "bot list" ? [] : [join(data, "new")])]) {
        const { exitCode, stderr } = runReadOnly(folder);
        expect(stderr.toString()).toBe(
          `error: ${folder} is on a disk that is mounted read-only; mount it for writing, or choose another folder with --data\n`,
        );
        expect(exitCode).toBe(3);
      }
    },
  );
});
