import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";

import { loadConfig } from "../../../src/config/config.ts";
import { startServer } from "../../../src/http/server.ts";
import { LEASE_TIMES } from "../../../src/store/lease-observer.ts";
import { Sqlite } from "../../../src/store/sqlite/driver.ts";
import { CliFixture, stopOnce } from "../../support/cli.ts";
import { readTables } from "../../support/databases.ts";

const MAX_MS = 60_000;
const ROOT = join(import.meta.dir, "../../..");
const PORTS = ["--port", "0", "--operator-port", "0"];

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => cli[Symbol.dispose]());

/** The sources' program as a process; `before` are a command that runs it. */
function spawn(file: string, args: readonly string[], before: readonly string[] = []) {
  const command = [...before, process.execPath, join(ROOT, file), ...args];
  return Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
}

/** Serves, and sends the signals as soon as it does. */
async function serveAndSignal(signals: readonly NodeJS.Signals[], before: readonly string[] = []) {
  await cli.seed("a");
  const serving = spawn("src/main.ts", ["serve", "--data", cli.data, ...PORTS], before);
  const logged = new Response(serving.stdout).text();
  let said = "";
  for await (const piece of serving.stderr.pipeThrough(new TextDecoderStream())) {
    said += piece;
    if (piece.includes("Parley answers at")) for (const signal of signals) serving.kill(signal);
  }
  const lines = (await logged).trim().split("\n");
  return {
    exitCode: await serving.exited,
    said,
    asked: lines.map((line) => JSON.parse(line) as { signal?: string }).filter(({ signal }) => signal),
  };
}

test(
  "SIGHUP finishes what is in flight, as SIGTERM does, and the log says who asked for it",
  async () => {
    const { exitCode, said, asked } = await serveAndSignal(["SIGHUP"]);
    expect(exitCode).toBe(0);
    expect(said).toMatch(/SIGHUP: finishing turns in progress.*\nstopped after/);
    expect(asked).toEqual([
      expect.objectContaining({ signal: "SIGHUP", msg: expect.stringContaining("stop") }),
    ]);
  },
  MAX_MS,
);

test.skipIf(process.platform !== "linux")(
  "SIGHUP does not stop a server that `nohup` has started",
  async () => {
    const { exitCode, said, asked } = await serveAndSignal(["SIGHUP", "SIGTERM"], ["nohup"]);
    expect(said).toContain("SIGTERM: finishing turns in progress");
    expect(said).not.toContain("SIGHUP");
    expect(asked).toEqual([expect.objectContaining({ signal: "SIGTERM" })]);
    expect(exitCode).toBe(0);
  },
  MAX_MS,
);

test(
  "an error that nobody caught is logged, and stops the server in order with exit code 3",
  async () => {
    await cli.seed("a");
    const serving = spawn("test/support/failing-server.ts", [cli.data]);
    const [log, said] = await Promise.all([
      new Response(serving.stdout).text(),
      new Response(serving.stderr).text(),
    ]);
    expect(await serving.exited).toBe(3);
    expect(log).toContain('"message":"nobody catches this"');
    expect(said).toContain("stopped after");
    expect(readTables(join(cli.data, "parley.db")).get("instances")).toEqual([]);
  },
  MAX_MS,
);

test(
  "a server that does not finish after such an error ends all the same",
  async () => {
    await cli.seed("a");
    const serving = spawn("test/support/failing-server.ts", [cli.data, "hanging"]);
    expect(await serving.exited).toBe(3);
    expect(await new Response(serving.stderr).text()).toContain("turns in progress are aborted");
  },
  MAX_MS,
);

test.each(["throw", "reject"])(
  "an error that nobody caught ends any command with exit code 3 and one line: %s",
  async (how) => {
    const running = spawn("test/support/failing-command.ts", [how]);
    const said = await new Response(running.stderr).text();
    expect(said).toStartWith(
      "error: this is a defect in Parley, please report it:\nError: nobody catches this\n    at ",
    );
    expect(said.match(/error: /g)).toHaveLength(1);
    expect(await running.exited).toBe(3);
  },
  MAX_MS,
);

describe("a start that fails", () => {
  test("leaves nothing behind: the store is closed and the server is not entered", async () => {
    await cli.seed("a");
    const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const flags = { data: cli.data, port: String(taken.port), operatorPort: "0", logLevel: "silent" };
    const config = loadConfig({ flags, env: {}, readFile: () => "" });
    await expect(startServer(config, { lease: LEASE_TIMES })).rejects.toThrow("the port is in use");
    await taken.stop(true);
    expect(readTables(join(cli.data, "parley.db")).get("instances")).toEqual([]);
    expect(await Bun.file(join(cli.data, "parley.db-wal")).exists()).toBe(false);
  });

  test.each(["trained", "not trained"])("is none because a bot that is %s cannot be read", async (state) => {
    await cli.seed("broken", "sound");
    const db = new Sqlite(join(cli.data, "parley.db"));
    db.exec(
      "UPDATE bot_versions SET document = '{' WHERE bot_key = (SELECT key FROM bots WHERE id = 'broken')",
    );
    if (state === "not trained") db.exec("UPDATE bot_rows SET intent_model = NULL WHERE id = 'broken'");
    db.close();
    const { exitCode, stderr } = await cli.run(["serve", ...PORTS, "--log-level", "silent"], {
      onStopSignal: stopOnce(),
    });
    expect(stderr).toContain("Parley answers at");
    expect(exitCode).toBe(0);
  });
});
