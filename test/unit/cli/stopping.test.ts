import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";

import { loadConfig } from "../../../src/config/config.ts";
import { startServer } from "../../../src/http/server.ts";
import { Sqlite } from "../../../src/store/driver.ts";
import { LEASE_TIMES } from "../../../src/store/lease-observer.ts";
import { CliFixture, stopOnce } from "../../support/cli.ts";
import { readTables } from "../../support/databases.ts";

const LONGEST_MS = 60_000;
const ROOT = join(import.meta.dir, "../../..");
const PORTS = ["--port", "0", "--operator-port", "0"];

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => cli[Symbol.dispose]());

/** The sources' program as a process. */
function spawn(file: string, ...args: string[]) {
  return Bun.spawn([process.execPath, join(ROOT, file), ...args], { stdout: "pipe", stderr: "pipe" });
}

test(
  "SIGHUP finishes what is in flight, as SIGTERM does",
  async () => {
    await cli.seed("a");
    const serving = spawn("src/main.ts", "serve", "--data", cli.data, ...PORTS);
    let said = "";
    for await (const piece of serving.stderr.pipeThrough(new TextDecoderStream())) {
      said += piece;
      if (piece.includes("Parley answers at")) serving.kill("SIGHUP");
    }
    expect(await serving.exited).toBe(0);
    expect(said).toMatch(/SIGHUP: finishing what is in flight.*\nstopped after/);
  },
  LONGEST_MS,
);

test(
  "an error that nobody caught is logged, and stops the server in order with exit code 3",
  async () => {
    await cli.seed("a");
    const serving = spawn("test/support/failing-server.ts", cli.data);
    const [log, said] = await Promise.all([
      new Response(serving.stdout).text(),
      new Response(serving.stderr).text(),
    ]);
    expect(await serving.exited).toBe(3);
    expect(log).toContain('"message":"nobody catches this"');
    expect(said).toContain("stopped after");
    expect(readTables(join(cli.data, "parley.db")).get("instances")).toEqual([]);
  },
  LONGEST_MS,
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
