import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { EXECUTABLE, emptyFolder, runExecutable } from "../support/executable.ts";

let folder: string;
beforeEach(() => void (folder = emptyFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

const BOT = "id: acme\nname: Acme\nallowedDomains: [example.com]\n";

function write(name: string, text: string): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const run = (args: readonly string[], options: { env?: Record<string, string>; stdin?: string } = {}) =>
  runExecutable(args, { cwd: folder, ...options });

describe("what lies in the current folder", () => {
  test("is neither read nor run: .env, bunfig.toml, package.json, tsconfig.json", async () => {
    write(".env", "PARLEY_PORT=nonsense\nPARLEY_UNKNOWN=1\n");
    write("bunfig.toml", 'preload = ["./preload.ts"]\n');
    write("preload.ts", 'require("node:fs").writeFileSync("preloaded", "");\n');
    write("package.json", "not JSON");
    write("tsconfig.json", "not JSON");
    const { exitCode, stderr } = await run(["seed", "-"], { stdin: BOT });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(existsSync(join(folder, "preloaded"))).toBe(false);
  });

  test("gains nothing but the data folder", async () => {
    await run(["seed", "-", "--data", "here"], { stdin: BOT });
    expect(readdirSync(folder)).toEqual(["here"]);
  });
});

test("--licenses prints the notice and the licence of what is inside, with nothing else at hand", async () => {
  const { exitCode, stdout, stderr } = await run(["--licenses"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  for (const part of ["# Notice", "### SQLite", "\nelysia ", "\nbetter-sqlite3 ", "multilingual-e5-small"]) {
    expect(stdout).toContain(part);
  }
  expect(readdirSync(folder)).toEqual([]);
});

describe("exit codes", () => {
  test("1: the input is at fault", async () => {
    write("bad.yaml", "id: Bad\nname: Bad\n");
    const { exitCode, stdout, stderr } = await run(["seed", "bad.yaml"]);
    expect(stderr).toContain("bad.yaml:1:5: ");
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  });

  test("2: a config file with an unknown key, named by its place", async () => {
    write("parley.yaml", "port: 8000\noperatorprot: 1\n");
    const { exitCode, stderr } = await run(["serve", "--config", "parley.yaml"]);
    expect(stderr).toBe(
      "error: parley.yaml:2:1: unknown setting `operatorprot`; did you mean `operatorPort`?\n",
    );
    expect(exitCode).toBe(2);
  });

  test("3: the database is none of Parley's", async () => {
    write("data/parley.db", "this is no database, but long enough to look at ".repeat(20));
    const { exitCode, stderr } = await run(["bot", "list"]);
    expect(stderr).toContain("data/parley.db is not a Parley database; choose another folder with --data");
    expect(stderr).not.toContain("    at ");
    expect(exitCode).toBe(3);
  });

  test("3: the port is taken", async () => {
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const port = String(other.port);
    const { exitCode, stderr } = await run(["serve", "--port", port, "--operator-port", "0"]);
    await other.stop(true);
    expect(stderr).toBe(
      `error: cannot listen on 127.0.0.1:${port}: the port is in use; choose another with --port\n`,
    );
    expect(stderr).not.toContain("    at ");
    expect(exitCode).toBe(3);
  });
});

describe("output", () => {
  test("to a pipe has no colours, whatever the environment of a CI says", async () => {
    const { stdout, stderr } = await run(["bot", "shw"], { env: { CI: "1", TERM: "xterm-256color" } });
    expect(stdout + stderr).not.toContain("\u001b");
  });

  test("to a pipe is complete, however long", async () => {
    const template = { id: "big", bundleUrl: "big.js", options: { text: "0123456789".repeat(200_000) } };
    const bot = { id: "long", name: "Long", allowedDomains: [], template };
    await run(["seed", "-"], { stdin: JSON.stringify(bot) });
    const { stdout } = await run(["bot", "export", "long", "--json"]);
    expect(JSON.parse(stdout)).toEqual(bot);
  });

  test("to a reader that leaves is no failure worth a stack", async () => {
    const command = `"${EXECUTABLE}" bot schema | head -n 1`;
    const shell = Bun.spawn(["/bin/sh", "-c", command], { cwd: folder, stdout: "pipe", stderr: "pipe" });
    expect(await new Response(shell.stdout).text()).toBe("{\n");
    expect(await new Response(shell.stderr).text()).toBe("");
  });
});
