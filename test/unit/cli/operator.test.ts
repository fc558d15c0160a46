import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { CliFixture } from "../../support/cli.ts";

let cli: CliFixture;
beforeEach(async () => {
  cli = new CliFixture();
  await cli.seed("shop");
});
afterEach(() => cli[Symbol.dispose]());

const add = (name: string, role = "owner", ...more: string[]) =>
  cli.run(["operator", "add", name, "--role", role, ...more]);
const list = async () => {
  const { stdout } = await cli.run(["operator", "list", "--json"]);
  return (JSON.parse(stdout) as { operators: { name: string; role: string }[] }).operators;
};

describe("operator add", () => {
  test("prints a link and nothing else, and says how long it is good", async () => {
    const { stdout, stderr, exitCode } = await add("ann@example.com");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:8788\/sign-in#link=\w{43}\n$/);
    expect(stderr).toContain(
      "ann@example.com is added as owner; the link above is valid once, until 2026-11-21T12:15",
    );
  });

  test("makes a link for the address that operators use", async () => {
    const { stdout } = await add("ann", "owner", "--operator-url", "https://operator.example/", "--json");
    const { link } = JSON.parse(stdout) as { link: { url: string } };
    expect(link.url).toStartWith("https://operator.example/sign-in#link=");
  });

  test("refuses a name that is taken, one that is none, and no role", async () => {
    await add("ann");
    expect(await add("ANN", "viewer")).toMatchObject({ exitCode: 1, stdout: "" });
    expect((await add("a b")).exitCode).toBe(2);
    expect((await add("bob", "admin")).exitCode).toBe(2);
    expect((await cli.run(["operator", "add", "bob"])).exitCode).toBe(2);
    expect(await list()).toMatchObject([{ name: "ann", role: "owner" }]);
  });
});

describe("operator link", () => {
  test("prints another link, and names whom it may have been meant for", async () => {
    const first = await add("annabel");
    const second = await cli.run(["operator", "link", "annabel"]);
    expect(second.stdout).toMatch(/#link=\w{43}\n$/);
    expect(second.stdout).not.toBe(first.stdout);
    const unknown = await cli.run(["operator", "link", "anabel"]);
    expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
    expect(unknown.stderr).toContain("annabel");
  });
});

describe("operator role and remove", () => {
  test("leave an owner, unless that is meant", async () => {
    await add("ann");
    await add("bob", "viewer");
    for (const args of [
      ["operator", "remove", "ann"],
      ["operator", "role", "ann", "editor"],
    ]) {
      const refused = await cli.run(args);
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toContain(
        "`ann` is the last owner; make another operator an owner first, or add --force",
      );
    }
    expect((await cli.run(["operator", "role", "bob", "owner"])).exitCode).toBe(0);
    expect((await cli.run(["operator", "remove", "ann"])).stderr).toContain("ann is removed");
    expect((await cli.run(["operator", "remove", "bob", "--force"])).exitCode).toBe(0);
    expect(await list()).toEqual([]);
    expect((await cli.run(["operator", "remove", "bob"])).stderr).toContain("there are none yet");
  });

  test("are in the audit, with who ran them", async () => {
    await add("ann");
    await add("bob", "viewer");
    await cli.run(["operator", "remove", "bob"]);
    const { stdout } = await cli.run(["audit", "changes", "--json"]);
    const { changes } = JSON.parse(stdout) as { changes: { what: string; subject: string; by: object }[] };
    expect(changes[0]).toMatchObject({
      what: "operator.removed",
      subject: "bob",
      by: { kind: "user", name: "ann", command: "operator remove" },
    });
    expect(stdout).not.toContain("#link=");
  });
});

test("operator list shows names, roles and how they sign in", async () => {
  expect((await cli.run(["operator", "list"])).stderr).toContain("no operators yet");
  await add("ann");
  const { stdout } = await cli.run(["operator", "list"]);
  expect(stdout).toMatch(
    /^NAME +ROLE +SIGNS IN BY +ADDED +LAST SEEN\nann +owner +links +2026-11-21T12:00\S* +never\n$/,
  );
});
