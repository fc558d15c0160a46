import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";

import { type FlagValues, loadConfig } from "../../src/config/config.ts";
import { type RunningServer, startServer } from "../../src/http/server.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { CliFixture } from "../support/cli.ts";
import { OWN_PAGE } from "../support/operators.ts";
import type { ChatResponseBody } from "../support/parley.ts";
import { createEmptyDatabase, whyNoPostgres } from "../support/postgres-server.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const CAP = 4;
const PASSWORD = "a password of ann's own";
const BOT = JSON.stringify({
  id: "shop",
  name: "Shop",
  allowedDomains: ["*"],
  monthlyMessageCap: CAP,
  intents: [
    {
      name: "orders.status",
      label: "your order",
      examples: ["where is my order"],
      responses: ["On its way."],
    },
    { name: "returns", label: "a return", examples: ["I want to return it"], responses: ["Use the form."] },
  ],
});

describe.skipIf(isOnPostgres || whyNoPostgres !== undefined)("a service that moves to PostgreSQL", () => {
  const cli = new CliFixture();
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let token: string;
  let server: RunningServer;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await expectDone(cli.run(["seed", "-", "--no-review"], { stdin: BOT, now: Date.now() }));
    await expectDone(cli.run(["operator", "add", "ann", "--role", "owner"], { now: Date.now() }));
    await using store = new SqliteStore({ dataDir: cli.data, now: Date.now, busyTimeoutMs: 5000 });
    await store.operators.setPassword("ann", await Bun.password.hash(PASSWORD), new Uint8Array(32));
    token = (await expectDone(cli.run(["token", "create", "--bot", "shop"], { now: Date.now() }))).trim();
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
    cli[Symbol.dispose]();
  });

  async function expectDone(command: ReturnType<CliFixture["run"]>): Promise<string> {
    const { exitCode, stdout, stderr } = await command;
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return stdout;
  }

  const serve = (store: FlagValues) => {
    const flags = { data: cli.data, port: "0", operatorPort: "0", logLevel: "silent", ...store };
    return startServer(loadConfig({ flags, env: {}, readFile: () => "" }));
  };

  async function say(input: string, key: string, conversationId?: string) {
    const response = await fetch(`${server.localUrl}/chat`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body: JSON.stringify({ botId: "shop", input, conversationId }),
    });
    return { status: response.status, body: (await response.json()) as ChatResponseBody };
  }

  test("goes on with the same conversation, its keys and its cap", async () => {
    server = await serve({});
    const first = await say("where is my order", "key-1");
    const { conversationId } = first.body;
    await say("I want to return it", "key-2", conversationId);
    const refused = await cli.run(["copy", "--to", database.url]);
    expect(refused.stderr).toContain(`a server runs on ${cli.data}; stop it, and try again`);
    await server.close();

    await expectDone(cli.run(["copy", "--to", database.url], { now: Date.now() }));
    server = await serve({ store: database.url });
    expect(await say("where is my order", "key-1")).toEqual(first);
    expect((await say("another message", "key-1")).status).toBe(422);
    const third = await say("where is my order", "key-3", conversationId);
    expect(third.body).toMatchObject({ conversationId, response: "On its way." });
    const shown = await cli.run(["conversation", "show", conversationId, "--json"], {
      env: { PARLEY_STORE: database.url },
    });
    const { turns } = JSON.parse(shown.stdout) as { turns: { input: string }[] };
    expect(turns.map(({ input }) => input)).toEqual([
      "where is my order",
      "I want to return it",
      "where is my order",
    ]);
    expect((await say("where is my order", "key-4")).status).toBe(200);
    expect((await say("where is my order", "key-5")).status).toBe(429);
    await signIn();

    const env = { PARLEY_STORE: database.url };
    const folder = join(cli.folder, "again");
    const back = ["copy", "--from", "postgres", "--to", folder];
    expect((await cli.run(back, { env })).stderr).toContain("stop it, and try again");
    await server.close();
    await expectDone(cli.run(back, { env, now: Date.now() }));
    server = await serve({ data: folder });
    expect(await say("where is my order", "key-1")).toEqual(first);
    expect(await say("where is my order", "key-3", conversationId)).toEqual(third);
    expect((await say("where is my order", "key-6")).status).toBe(429);
    await signIn();
    const copied = await cli.run(["conversation", "show", conversationId, "--json"], {
      env: { PARLEY_DATA: folder },
    });
    expect(JSON.parse(copied.stdout)).toEqual(JSON.parse(shown.stdout));
  }, 120_000);

  /** As an operator who has a password since the folder. */
  async function signIn(): Promise<void> {
    const response = await fetch(`${server.localOperatorUrl}/api/v1/session`, {
      method: "POST",
      headers: OWN_PAGE,
      body: JSON.stringify({ name: "ann", password: PASSWORD }),
    });
    expect(response.ok, await response.text()).toBe(true);
  }
});
