import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";

import pino from "pino";

import { loadConfig } from "../../src/config/config.ts";
import { type RunningServer, startServer } from "../../src/http/server.ts";
import { shopBot } from "../support/bots.ts";
import { runInTerminal } from "../support/cli.ts";
import { eventually } from "../support/eventually.ts";
import { signIn } from "../support/operators.ts";
import { startParley, type TestParley } from "../support/parley.ts";

type Line = Record<string, unknown>;

/** Other people's rows. */
const OF_BROKEN = "(SELECT key FROM bots WHERE id = 'broken')";
const DAMAGES: [string, string[]][] = [
  [
    "a document of another shape",
    [`UPDATE bot_versions SET document = '{"id": "broken"}' WHERE bot_key = ${OF_BROKEN}`],
  ],
  [
    "a document of another shape, and no model",
    [
      `UPDATE bot_versions SET document = '{"id": "broken"}' WHERE bot_key = ${OF_BROKEN}`,
      "UPDATE bot_rows SET intent_model = NULL WHERE id = 'broken'",
    ],
  ],
  ["limits of another shape", [`UPDATE bot_rows SET limits = '{"rateLimit": 7}' WHERE id = 'broken'`]],
];

async function chat(url: string, token: string, botId: string): Promise<Response> {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ botId, input: "hello" }),
  });
}

async function expectUnreadable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({
    code: "STORAGE_UNAVAILABLE",
    detail: expect.stringMatching(/stored record of this bot cannot be read.*operator/),
  });
}

/** Another server on the store, whose log is kept. */
async function startAnother({ env }: TestParley, lines: Line[], flags = {}): Promise<RunningServer> {
  const config = loadConfig({
    flags: { port: "0", operatorPort: "0", rateLimitCapacity: "100000", ...flags },
    env,
    readFile: () => "",
  });
  const log = pino({ level: "info" }, { write: (text: string) => void lines.push(JSON.parse(text) as Line) });
  return startServer(config, { log });
}

/** But for the lines of requests. */
const errorsOf = (lines: readonly Line[]) =>
  lines.filter(({ level, requestId }) => Number(level) >= 50 && requestId === undefined);

const bots = () => [shopBot(), shopBot({ id: "broken", name: "Broken" })];

describe("one bot that cannot be read", () => {
  test.each(DAMAGES)(
    "stops no start: the others answer, and it says what is wrong: %s",
    async (_name, sql) => {
      await using parley = await startParley({ bots: bots() });
      const token = await parley.issueToken(["shop", "broken"]);
      await parley.say("hello");
      await parley.endServer();
      for (const statement of sql) await parley.runSql(statement);
      const lines: Line[] = [];
      const server = await startAnother(parley, lines);
      try {
        expect((await fetch(`${server.localUrl}/readyz`)).status).toBe(200);
        expect((await chat(server.localUrl, token, "shop")).status).toBe(200);
        await expectUnreadable(await chat(server.localUrl, token, "broken"));
        await expectUnreadable(await fetch(`${server.localUrl}/embed-config?botId=broken`));
        expect(errorsOf(lines)).toMatchObject([{ botId: "broken" }]);
      } finally {
        await server.close();
      }
    },
  );

  test("that is changed while a server runs is told of once, and answers again when it is mended", async () => {
    const lines: Line[] = [];
    await using parley = await startParley({ bots: bots(), onLog: (line) => lines.push(line) });
    const ask = () => chat(parley.url, parley.token, "broken");
    expect((await ask()).status).toBe(200);
    await parley.store.bots.setEnabled("broken", false);
    await eventually(async () => (await ask()).status === 404);
    for (const statement of DAMAGES[1]![1]) await parley.runSql(statement);
    await parley.store.bots.setEnabled("broken", true);
    await eventually(async () => (await ask()).status === 503);
    await expectUnreadable(await ask());
    const changes = () => lines.filter(({ msg }) => msg === "bots and embed tokens reloaded").length;
    // Each further change is taken over as if nothing were wrong, and the bot is named no more.
    for (let change = 0; change < 3; change += 1) {
      const before = changes();
      await parley.issueToken(["shop"]);
      await eventually(() => changes() > before);
    }
    expect(errorsOf(lines)).toMatchObject([{ botId: "broken" }]);
    await parley.store.bots.seed(bots(), { prune: false, dryRun: false });
    await eventually(async () => (await ask()).status === 200);
  }, 60_000);

  test("is named by health, by the doctor, and in the list of bots", async () => {
    await using parley = await startParley({ bots: bots() });
    const operator = await signIn(parley, "ann");
    for (const statement of DAMAGES[0]![1]) await parley.runSql(statement);
    const { findings } = await operator.json<{ findings: Line[] }>("GET", "/health");
    const named = expect.objectContaining({
      severity: "broken",
      message: expect.stringContaining("bot `broken`"),
    });
    expect(findings).toContainEqual(named);
    const { stdout, exitCode } = await runInTerminal(["doctor", "--quick", "--json"], { env: parley.env });
    expect(JSON.parse(stdout).findings).toContainEqual(named);
    expect(exitCode).not.toBe(0);
    const { items } = await operator.json<{ items: Line[] }>("GET", "/bots");
    expect(items.map(({ id }) => id)).toEqual(["broken", "shop"]);
  });

  test("holds up no server with demo pages", async () => {
    await using parley = await startParley({ bots: bots() });
    await parley.endServer();
    for (const statement of DAMAGES[0]![1]) await parley.runSql(statement);
    rmSync(`${parley.dataDir}/demo.token`, { force: true });
    let stop: (() => void) | undefined;
    const { exitCode, stderr } = await runInTerminal(
      ["serve", "--demo", "--port", "0", "--operator-port", "0", "--log-level", "silent"],
      {
        env: parley.env,
        onStopSignal(listener) {
          if (stop === undefined) queueMicrotask(() => listener("SIGTERM"));
          stop ??= () => {};
          return stop;
        },
      },
    );
    expect(stderr).toContain("/demo/shop");
    expect(exitCode).toBe(0);
  });
});
