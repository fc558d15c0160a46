import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";

import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import {
  type ServingExecutable,
  emptyFolder,
  runExecutable,
  serveExecutable,
} from "../support/executable.ts";
import { type TestModelServer, hangs, says, startModelServer } from "../support/model-server.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const QUESTION = "where is my order";
const BOT = {
  id: "shop",
  name: "Shop",
  allowedDomains: ["*"],
  monthlyMessageCap: 2,
  intents: [
    { name: "orders.status", examples: [QUESTION, "track my parcel please", "when will my package arrive"] },
  ],
  responder: { kind: "model" },
};
let mock: TestModelServer;

beforeAll(async () => {
  mock = await startModelServer();
});
afterAll(() => mock[Symbol.asyncDispose]());

/** What the database holds once nobody writes to it. */
async function inspect(cwd: string, requestId: string) {
  await using store = new SqliteStore({ dataDir: join(cwd, "data"), now: Date.now, busyTimeoutMs: 1000 });
  const used = await store.usage.read((await store.bots.find("shop"))!.key, Date.now());
  return { used, turn: await store.conversations.findTurnByRequest(requestId) };
}

// On PostgreSQL, where nobody can know that no other server lives, the count comes back with the lease: see its leases' tests.
test.skipIf(isOnPostgres)(
  "a crash during a model call leaves the message unanswered, and the next start gives its count back",
  async () => {
    const cwd = emptyFolder();
    const seeded = await runExecutable(["seed", "-", "--issue-tokens"], { cwd, stdin: JSON.stringify(BOT) });
    const token = /parley_et_\w+/.exec(seeded.stdout + seeded.stderr)![0];
    const models = JSON.stringify({ local: { baseUrl: mock.baseUrl, model: "tiny" } });
    const serve = () => serveExecutable(cwd, ["--log-level", "warn"], { PARLEY_MODELS: models });
    const send = ({ url }: ServingExecutable, accept = "application/json") =>
      fetch(`${url}/chat`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", Accept: accept },
        body: JSON.stringify({ botId: "shop", input: QUESTION }),
      });

    const crashing = await serve();
    mock.replyWith(says("Yesterday."));
    expect((await send(crashing)).status).toBe(200);
    mock.replyWith(hangs());
    const begun = await send(crashing, "text/event-stream");
    const requestId = begun.headers.get("x-request-id")!;
    crashing.process.kill("SIGKILL");
    await crashing.process.exited;
    expect((await inspect(cwd, requestId)).used).toBe(2);

    mock.replyWith(says("Back again."));
    await using restarted = await serve();
    expect((await send(restarted)).status).toBe(200);
    expect((await send(restarted)).status).toBe(429);
    await restarted[Symbol.asyncDispose]();
    const { used, turn } = await inspect(cwd, requestId);
    expect(used).toBe(2);
    expect(turn).toMatchObject({ state: "unanswered", input: QUESTION, response: "" });
  },
);
