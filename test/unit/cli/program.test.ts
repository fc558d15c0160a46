import { describe, expect, test } from "bun:test";

import { version } from "../../../package.json";
import { runInTerminal } from "../../support/cli.ts";

const COMMANDS = [
  "quickstart",
  "serve",
  "seed",
  "bot list",
  "bot show",
  "bot enable",
  "bot disable",
  "bot delete",
  "bot export",
  "bot schema",
  "bot check-origin",
  "bot snippet",
  "token create",
  "token list",
  "token revoke",
  "conversation show",
  "conversation delete",
  "chat",
  "eval",
  "explain",
  "audit decisions",
  "doctor",
  "service",
];

describe("help", () => {
  test.each([
    "knowledge add",
    "knowledge list",
    "knowledge refresh",
    "knowledge remove",
    "knowledge search",
    "bot list",
  ])("parley %s --help shows --store, as all do that open one", async (name) => {
    expect((await runInTerminal([...name.split(" "), "--help"])).stdout).toContain("--store <url>");
  });

  test.each(COMMANDS)("parley %s --help shows --data and an example", async (name) => {
    const { stdout, stderr, exitCode } = await runInTerminal([...name.split(" "), "--help"]);
    expect(stdout).toContain(`Usage: parley ${name} `);
    expect(stdout).toContain("--data <dir>");
    expect(stdout).toMatch(new RegExp(`Examples:\n  \\$ .*parley ${name}`));
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test.each([[], ["bot"], ["token"], ["conversation"], ["audit"]])(
    "of a group shows an example, too: parley %s",
    async (...group) => {
      const { stdout, exitCode } = await runInTerminal([...group, "--help"]);
      expect(stdout).toContain(`Examples:\n  $ ${["parley", ...group].join(" ")} `);
      expect(exitCode).toBe(0);
    },
  );

  test.each([[], ["seed"], ["bot"], ["bot", "export"]])(
    "is also a command: parley help %s %s",
    async (...names) => {
      const { stdout, exitCode } = await runInTerminal(["help", ...names]);
      expect(stdout).toStartWith(`Usage: ${["parley", ...names].join(" ")} `);
      expect(exitCode).toBe(0);
    },
  );

  test("has no trailing blanks", async () => {
    for (const name of COMMANDS) {
      const { stdout } = await runInTerminal(["help", ...name.split(" ")]);
      expect(stdout).not.toMatch(/[ \t]$/m);
    }
  });

  test("lists every command", async () => {
    const { stdout } = await runInTerminal(["--help"]);
    for (const name of new Set(COMMANDS.map((command) => command.split(" ", 1)[0]))) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
    }
  });

  test("of serve names flag, variable, key and default of every setting", async () => {
    const { stdout } = await runInTerminal(["serve", "--help"]);
    const words = stdout.replace(/\s+/g, " ");
    expect(words).toContain("--operator-port <port>");
    expect(words).toContain("(default: 8788, env: PARLEY_OPERATOR_PORT, file: operatorPort)");
    expect(words).toContain("(default: <public-url>/cdn, env: PARLEY_CDN_URL, file: cdnUrl)");
  });
});

describe("a command line that makes no sense ends with 2 and says what was meant", () => {
  test.each([
    [["bot", "lst"], "(Did you mean list?)"],
    [["sed", "bots"], "(Did you mean seed?)"],
    [["bot", "list", "--jsn"], "(Did you mean --json?)"],
    [["serve", "--prot", "1"], "(Did you mean --port?)"],
    [["serve", "--port"], "argument missing"],
    [["bot", "show"], "missing required argument 'bot'"],
    [["bot", "show", "a", "b"], "too many arguments"],
    [["bot"], "Usage: parley bot"],
    [[], "Usage: parley"],
  ])("%j", async (args, message) => {
    const { stdout, stderr, exitCode } = await runInTerminal(args);
    expect(stderr).toContain(message);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
  });
});

describe("settings", () => {
  test("an unknown variable stops every command that reads settings, with 2", async () => {
    const { stderr, exitCode } = await runInTerminal(["bot", "list"], { env: { PARLEY_DATTA: "x" } });
    expect(stderr).toBe("error: unknown environment variable PARLEY_DATTA; did you mean `PARLEY_DATA`?\n");
    expect(exitCode).toBe(2);
  });

  test("an invalid value stops the start with one line and 2", async () => {
    const { stderr, exitCode } = await runInTerminal(["serve", "--public-url", "chat.example"]);
    expect(stderr).toBe(
      "error: --public-url should be an http or https address, as in https://chat.example, not `chat.example`\n",
    );
    expect(exitCode).toBe(2);
  });
});

test("--version prints the version alone", async () => {
  expect(await runInTerminal(["--version"])).toEqual({ stdout: `${version}\n`, stderr: "", exitCode: 0 });
});
