import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

import pino from "pino";

import { loadConfig } from "../../../src/config/config.ts";
import { startServer } from "../../../src/http/server.ts";
import { CliFixture, stopOnce } from "../../support/cli.ts";

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => cli[Symbol.dispose]());

async function serve(...args: string[]): Promise<string[]> {
  const ports = ["--port", "0", "--operator-port", "0", "--log-level", "silent"];
  const { stderr, exitCode } = await cli.run(["serve", ...ports, ...args], { onStopSignal: stopOnce() });
  expect(exitCode).toBe(0);
  return stderr.split("\n");
}

test("names the first demo pages, of bots that are enabled, and how many more there are", async () => {
  await cli.seed("a", "b", "c", "d", "e", "f", "g", "h");
  await cli.run(["bot", "disable", "b"]);
  const lines = await serve("--demo");
  const from = lines.indexOf("Demo pages:");
  expect(lines.slice(from + 1, from + 7).map((line) => line.replace(/:\d+/, ""))).toEqual([
    "  http://127.0.0.1/demo/a",
    "  http://127.0.0.1/demo/c",
    "  http://127.0.0.1/demo/d",
    "  http://127.0.0.1/demo/e",
    "  http://127.0.0.1/demo/f",
    "  … and 2 more",
  ]);
});

test("says where it listens, and what proxies are asked by", async () => {
  await cli.seed("a");
  const addressOf = async (...args: string[]) =>
    (await serve(...args))
      .find((line) => line.startsWith("Parley answers at"))!
      .replaceAll(/(127.0.0.1):\d+/g, "$1:N");
  expect(await addressOf()).toBe("Parley answers at http://127.0.0.1:N, for operators at http://127.0.0.1:N");
  expect(
    await addressOf("--public-url", "https://chat.example", "--operator-url", "https://ops.example"),
  ).toBe(
    "Parley answers at http://127.0.0.1:N (for browsers https://chat.example), for operators at http://127.0.0.1:N (for browsers https://ops.example)",
  );
});

describe("where there is no database", () => {
  test.each(["serve", "serve --demo", "quickstart"])(
    "--must-exist refuses to make one: %s",
    async (command) => {
      const { exitCode, stderr } = await cli.run([
        ...command.split(" "),
        "--must-exist",
        "--port",
        "0",
        "--operator-port",
        "0",
      ]);
      expect(stderr).toBe(
        `error: there is no database in ${cli.data}, and --must-exist forbids making one; mount the disk that holds it, or make one with \`parley seed\`\n`,
      );
      expect({ exitCode, made: existsSync(join(cli.data, "parley.db")) }).toEqual({
        exitCode: 3,
        made: false,
      });
    },
  );

  test("a new one is warned of, and an old one is not", async () => {
    const warning = expect.stringContaining(`made a new, empty database in ${cli.data}, without bots`);
    const lines: unknown[] = [];
    const log = pino(
      {},
      { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
    );
    const flags = { data: cli.data, port: "0", operatorPort: "0" };
    const serveOnce = async () =>
      (await startServer(loadConfig({ flags, env: {}, readFile: () => "" }), { log })).close();
    await serveOnce();
    expect(lines).toContainEqual(warning);
    lines.length = 0;
    await serveOnce();
    expect(lines).not.toContainEqual(warning);
  });

  test("--demo warns of a new one, too", async () => {
    expect((await serve("--demo")).join()).toContain(`warning: made a new, empty database in ${cli.data}`);
  });

  test("--must-exist starts where there is one", async () => {
    await cli.seed("a");
    expect((await serve("--must-exist")).join()).not.toContain("made a new");
  });
});

test("says why there is no demo page", async () => {
  expect(await serve("--demo")).toContain("  none: no bot is enabled");
});

test("names no demo page where there is none", async () => {
  await cli.seed("a");
  expect((await serve()).join()).not.toContain("emo");
});

test.each([
  ["host", "1.2.3.4", "this machine has no such address"],
  ["operator-host", "nohost.invalid", "this is not an address or name of this machine"],
])("of a --%s that cannot be listened on, names the host, not the port", async (flag, host, reason) => {
  const args = ["serve", "--port", "0", "--operator-port", "0", "--log-level", "silent", `--${flag}`, host];
  const { stderr, exitCode } = await cli.run(args, { onStopSignal: stopOnce() });
  expect(stderr).toContain(`cannot listen on ${host}:0: ${reason}; choose another with --${flag}\n`);
  expect(exitCode).toBe(3);
});

test("says when it has stopped", async () => {
  const lines = await serve();
  expect(lines.slice(-3)).toEqual([
    "SIGTERM: finishing turns in progress; a second signal stops at once",
    expect.stringMatching(/^stopped after \d+\.\d s$/),
    "",
  ]);
});
