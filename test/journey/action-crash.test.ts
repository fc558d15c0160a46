import { afterAll, beforeAll, expect, test } from "bun:test";

import { EndpointServer } from "../support/endpoint-server.ts";
import { eventually } from "../support/eventually.ts";
import {
  emptyFolder,
  runExecutable,
  type ServingExecutable,
  serveExecutable,
} from "../support/executable.ts";
import { ordersBot } from "../support/orders-bot.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

let orders: EndpointServer;
beforeAll(() => {
  orders = new EndpointServer();
});
afterAll(() => orders[Symbol.dispose]());

// On PostgreSQL the claim is one conditional update as well: see test/unit/store/actions.test.ts.
test.skipIf(isOnPostgres)(
  "a server that is killed during a call leaves the action called once, and the next one says that nobody knows",
  async () => {
    const cwd = emptyFolder();
    const stdin = JSON.stringify(ordersBot());
    const endpoints = JSON.stringify({ orders: orders.settings(), "order-changes": orders.settings() });
    const seeded = await runExecutable(["seed", "-", "--issue-tokens"], {
      cwd,
      stdin,
      env: { PARLEY_ENDPOINTS: endpoints },
    });
    const token = /parley_et_\w+/.exec(seeded.stdout + seeded.stderr)![0];
    const serve = () => serveExecutable(cwd, ["--log-level", "warn"], { PARLEY_ENDPOINTS: endpoints });
    const say = async ({ url }: ServingExecutable, input: string, conversationId?: string, key?: string) => {
      const answer = await fetch(`${url}/chat`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${token}`,
          "Content-Type": "application/json",
          ...(key !== undefined && { "Idempotency-Key": key }),
        },
        body: JSON.stringify({ botId: "shop", input, conversationId }),
      });
      return (await answer.json()) as { conversationId: string; response: string; metadata: object };
    };

    const first = await serve();
    const asked = await say(first, "cancel order 48213, ann@example.org");
    expect(asked.response).toBe("Cancel order 48213?");
    orders.answer = () => new Promise<Response>(() => {});
    const KEY = "a-yes-that-is-sent-again";
    const lost = say(first, "yes", asked.conversationId, KEY).catch(() => "lost");
    await eventually(() => orders.requests.length === 1);
    first.process.kill("SIGKILL");
    await first.process.exited;
    expect(await lost).toBe("lost");

    orders.answer = () => Response.json({});
    await using second = await serve();
    const retried = await say(second, "yes", asked.conversationId, KEY);
    expect(retried.metadata).toMatchObject({ action: { name: "orders.cancel", state: "unsure" } });
    await say(second, "yes", asked.conversationId);
    expect(orders.requests).toHaveLength(1);
  },
);
