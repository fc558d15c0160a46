import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { CliFixture } from "../../support/cli.ts";

interface ListedToken {
  id: string;
  state: string;
  botIds: string[];
  label?: string;
  expiresAt?: string;
}

let cli: CliFixture;
beforeEach(async () => {
  cli = new CliFixture();
  await cli.seed("acme-sales", "acme-support");
});
afterEach(() => cli[Symbol.dispose]());

async function listTokens(now?: number): Promise<ListedToken[]> {
  const { stdout } = await cli.run(["token", "list", "--json"], now === undefined ? {} : { now });
  return (JSON.parse(stdout) as { tokens: ListedToken[] }).tokens;
}

async function createToken(...args: string[]): Promise<{ id: string; token: string }> {
  const { stdout } = await cli.run(["token", "create", "--bot", "acme-support", "--json", ...args]);
  return JSON.parse(stdout) as { id: string; token: string };
}

describe("token create", () => {
  test("prints the token alone on stdout, so that a script can take it", async () => {
    const { stdout, stderr } = await cli.run(["token", "create", "--bot", "acme-support"]);
    expect(stdout).toMatch(/^parley_et_[0-9A-Za-z]{36}\n$/);
    expect(stderr).toContain("not shown again");
  });

  test("grants every bot that is named, once", async () => {
    await createToken("--bot", "acme-sales", "--bot", "acme-support", "--label", "Shop");
    expect(await listTokens()).toMatchObject([
      { state: "active", botIds: ["acme-sales", "acme-support"], label: "Shop" },
    ]);
  });

  test("an unknown bot is named with the nearest one, and no token is issued", async () => {
    const args = ["token", "create", "--bot", "acme-support", "--bot", "acme-saels"];
    const { stderr, stdout, exitCode } = await cli.run(args);
    expect(stderr).toContain("no bot `acme-saels`; did you mean `acme-sales`?");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(await listTokens()).toEqual([]);
  });

  test("needs a bot", async () => {
    expect((await cli.run(["token", "create"])).exitCode).toBe(2);
  });

  test("expires when asked to, and is listed so", async () => {
    await createToken("--expires", "90d");
    expect(await listTokens()).toMatchObject([{ state: "active", expiresAt: "2027-02-19T12:00:00Z" }]);
    expect(await listTokens(Date.UTC(2027, 1, 19, 12))).toMatchObject([{ state: "expired" }]);
  });

  test("an expiry that makes no sense is a usage mistake", async () => {
    const { stderr, exitCode } = await cli.run([
      "token",
      "create",
      "--bot",
      "acme-support",
      "--expires",
      "soon",
    ]);
    expect(stderr).toContain("argument 'soon' is invalid. Use a duration such as 90d");
    expect(exitCode).toBe(2);
  });
});

describe("token list", () => {
  test("says so where every bot of a token is deleted", async () => {
    await createToken();
    await cli.run(["bot", "delete", "acme-support", "--yes"]);
    expect((await cli.run(["token", "list"])).stdout).toContain("active  (none left)");
  });

  test.each([
    [4, "b0, b1, b2, b3  "],
    [5, "b0, b1, b2 and 2 more  "],
    [16, "b0, b1, b2 and 13 more  "],
  ])("keeps a token of %d bots on one line", async (count, cell) => {
    const ids = Array.from({ length: count }, (_, index) => `b${index}`);
    await cli.seed(...ids);
    await cli.run(["token", "create", ...ids.flatMap((id) => ["--bot", id])]);
    expect((await cli.run(["token", "list"])).stdout).toContain(cell);
    expect((await listTokens())[0]?.botIds).toHaveLength(count);
  });
});

describe("token revoke", () => {
  test.each(["id", "token"] as const)("takes the %s", async (by) => {
    const created = await createToken();
    expect((await cli.run(["token", "revoke", created[by]])).stderr).toBe(`${created.id} is revoked\n`);
    expect(await listTokens()).toMatchObject([{ id: created.id, state: "revoked" }]);
  });

  test("names the nearest id for one that is not there", async () => {
    const { id } = await createToken();
    const { stderr, exitCode } = await cli.run(["token", "revoke", `${id}x`]);
    expect(stderr).toContain(`did you mean \`${id}\`?`);
    expect(exitCode).toBe(1);
  });

  test("never echoes a token", async () => {
    const { token } = await createToken();
    using other = new CliFixture();
    await other.seed("x");
    const { stderr, exitCode } = await other.run(["token", "revoke", token]);
    expect(stderr).toContain("this token is unknown here");
    expect(stderr).not.toContain(token);
    expect(exitCode).toBe(1);
  });
});

describe("bot snippet", () => {
  test("prints the line that a site owner pastes", async () => {
    const { token } = await createToken();
    const args = ["bot", "snippet", "acme-support", "--token", token, "--public-url", "https://chat.example"];
    expect((await cli.run(args)).stdout).toBe(
      `<script src="https://chat.example/cdn/widget.js" data-bot-id="acme-support" data-token="${token}" async></script>\n`,
    );
  });

  test("refuses a token that cannot work: mistyped, unknown, of another bot, revoked", async () => {
    const { id, token } = await createToken();
    const snippet = async (bot: string, given: string) =>
      (await cli.run(["bot", "snippet", bot, "--token", given])).stderr;
    expect(await snippet("acme-support", `${token.slice(0, -1)}!`)).toContain("not an embed token");
    expect(await snippet("acme-sales", token)).toContain("is for acme-support, not for acme-sales");
    await cli.run(["token", "revoke", id]);
    expect(await snippet("acme-support", token)).toContain("is revoked");
  });
});
