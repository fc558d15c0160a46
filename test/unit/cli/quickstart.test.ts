import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import { CliFixture, stopOnce } from "../../support/cli.ts";

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => cli[Symbol.dispose]());

const ARGS = ["quickstart", "--port", "0", "--operator-port", "0", "--log-level", "silent"];

async function quickstart(): Promise<{ token: string; stderr: string }> {
  const { stderr, exitCode, stdout } = await cli.run(ARGS, { onStopSignal: stopOnce() });
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
  return { token: /parley_et_[0-9A-Za-z]{36}/.exec(stderr)![0], stderr };
}

test("seeds the sample bots and names their demo pages", async () => {
  const { stderr } = await quickstart();
  for (const id of ["acme-support", "city-kiosk", "riverside-clinic"]) {
    expect(stderr).toMatch(new RegExp(`http://127\\.0\\.0\\.1:\\d+/demo/${id}\n`));
  }
});

test("says that it trains, before it does, and only where there is something to train", async () => {
  const first = await quickstart();
  expect(first.stderr).toStartWith("training 4 sample bots\n");
  expect(first.stderr).not.toContain("Origin:");
  expect((await quickstart()).stderr).not.toContain("training");
});

test("the command line that it prints names an origin where the bot wants one", async () => {
  await cli.seed("mine");
  expect((await quickstart()).stderr).toContain("    -H 'Origin: https://example.com' \\\n");
});

test("run again, it keeps the bots and the token", async () => {
  const first = await quickstart();
  await cli.run(["bot", "delete", "city-kiosk", "--yes"]);
  const second = await quickstart();
  expect(second.token).toBe(first.token);
  expect(second.stderr).not.toContain("city-kiosk");
});

test("leaves the bots of a folder that has some as they are", async () => {
  await cli.seed("mine");
  await quickstart();
  const { stdout } = await cli.run(["bot", "list", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ bots: [{ id: "mine" }] });
});

test("replaces a token that was revoked or lacks a bot", async () => {
  const first = await quickstart();
  await cli.run(["token", "revoke", first.token]);
  const second = await quickstart();
  expect(second.token).not.toBe(first.token);
  await cli.seed("another");
  const third = await quickstart();
  expect(third.token).not.toBe(second.token);
});

test("keeps the token where its owner alone can read it", async () => {
  await quickstart();
  expect(statSync(join(cli.data, "demo.token")).mode & 0o777).toBe(0o600);
});

test("finds a port taken before it seeds anything", async () => {
  using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  for (const flag of ["port", "operator-port"]) {
    const { stderr, exitCode } = await cli.run([...ARGS, `--${flag}`, String(taken.port)]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`the port is in use; choose another with --${flag}`);
  }
  expect(existsSync(join(cli.data, "parley.db"))).toBe(false);
});

test("makes an owner, and prints a link to sign in with each start until there is a password", async () => {
  const links = async () =>
    (await quickstart()).stderr.match(/http:\/\/127\.0\.0\.1:\d+\/sign-in#link=\w{43}/g) ?? [];
  const [first, second] = [await links(), await links()];
  expect([first.length, second.length]).toEqual([1, 1]);
  expect(second).not.toEqual(first);
  const { stdout } = await cli.run(["operator", "list", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ operators: [{ name: "owner", role: "owner" }] });
});

test("makes no operator where there is one, and says how to sign in", async () => {
  await cli.seed("mine");
  await cli.run(["operator", "add", "ann", "--role", "viewer"]);
  const { stderr } = await quickstart();
  expect(stderr).not.toContain("#link=");
  expect(stderr).toContain("`parley operator link NAME` prints a link");
  expect((await cli.run(["operator", "list"])).stdout).not.toContain("owner");
});
