import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { type FlagValues, loadConfig } from "../../src/config/config.ts";
import { type RunningServer, startServer } from "../../src/http/server.ts";
import { CliFixture } from "../support/cli.ts";
import type { ChatResponseBody } from "../support/parley.ts";
import { createPostgresDatabase, whyNoPostgres } from "../support/postgres-server.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const CAP = 4;
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
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let token: string;
  let server: RunningServer;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    await expectDone(cli.run(["seed", "-", "--no-review"], { stdin: BOT, now: Date.now() }));
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
  });
});
