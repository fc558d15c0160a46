import { afterEach, beforeEach, expect, test } from "bun:test";

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

test("says why there is no demo page", async () => {
  expect(await serve("--demo")).toContain("  none: no bot is enabled");
});

test("names no demo page where there is none", async () => {
  await cli.seed("a");
  expect((await serve()).join()).not.toContain("emo");
});

test.each([
  ["host", "1.2.3.4", "this machine has no such address"],
  ["operator-host", "nohost.invalid", "this is no address or name of this machine"],
])("of a --%s that cannot be listened on, names the host, not the port", async (flag, host, reason) => {
  const args = ["serve", "--port", "0", "--operator-port", "0", "--log-level", "silent", `--${flag}`, host];
  const { stderr, exitCode } = await cli.run(args, { onStopSignal: stopOnce() });
  expect(stderr).toContain(`cannot listen on ${host}:0: ${reason}; choose another with --${flag}\n`);
  expect(exitCode).toBe(3);
});

test("says when it has stopped", async () => {
  const lines = await serve();
  expect(lines.slice(-3)).toEqual([
    "SIGTERM: finishing what is in flight; once more stops at once",
    expect.stringMatching(/^stopped after \d+\.\d s$/),
    "",
  ]);
});
