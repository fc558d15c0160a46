import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runInTerminal } from "../../support/cli.ts";
import { EndpointServer } from "../../support/endpoint-server.ts";
import { ordersBot } from "../../support/orders-bot.ts";

const SLOTS = ["--slot", "orderNumber=it is 48213", "--slot", "email=ann@example.org"];
let folder: string;
let endpoint: EndpointServer;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-action-"));
  writeFileSync(join(folder, "shop.json"), JSON.stringify(ordersBot()));
  endpoint = new EndpointServer();
});
afterAll(() => {
  endpoint[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const run = (intent: string, ...args: string[]) => runOf("shop.json", intent, ...args);

function runOf(file: string, intent: string, ...args: string[]) {
  endpoint.requests.length = 0;
  const endpoints = {
    orders: { ...endpoint.settings(), methods: ["GET"], headers: { Authorization: { env: "AUTH" } } },
    "order-changes": endpoint.settings(),
  };
  const env = { PARLEY_ENDPOINTS: JSON.stringify(endpoints), AUTH: "Bearer very-secret" };
  return runInTerminal(["action", "test", join(folder, file), intent, ...args], { env });
}

describe("parley action test", () => {
  test("calls the endpoint, and says what the bot would say", async () => {
    endpoint.answer = () => Response.json({ state: "packing" });
    const { exitCode, stdout } = await run("orders.status", ...SLOTS);
    expect(stdout).toContain("request     GET /orders/48213?email=ann%40example.org to orders");
    expect(stdout).toContain("says        It is being packed.");
    expect(stdout).not.toContain("very-secret");
    expect(exitCode).toBe(0);
    expect(endpoint.requests).toHaveLength(1);
  });

  test("sends nothing with --dry-run", async () => {
    const { exitCode, stdout } = await run("orders.cancel", ...SLOTS, "--dry-run", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      endpoint: "order-changes",
      method: "POST",
      path: "/orders/48213/cancel",
      body: { email: "ann@example.org" },
    });
    expect(endpoint.requests).toEqual([]);
  });

  test("asks before anything but a GET, and does without with --yes", async () => {
    const refused = await run("orders.cancel", ...SLOTS);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("confirm with --yes");
    expect(endpoint.requests).toEqual([]);
    endpoint.answer = () => Response.json({});
    const done = await run("orders.cancel", ...SLOTS, "--yes");
    expect(done.stdout).toContain("Order 48213 is cancelled.");
  });

  test.each<[what: string, args: string[], says: string]>([
    ["an intent without an action", ["store.hours"], "the intent `store.hours` has no action"],
    ["an intent that there is not", ["orders.statu"], "no intent `orders.statu` with an action"],
    [
      "a slot that is missing",
      ["orders.status", "--slot", "email=ann@example.org"],
      "the slot `orderNumber` is missing",
    ],
    [
      "a value that is none",
      ["orders.status", "--slot", "orderNumber=abc"],
      '"abc" does not match the pattern [0-9]{5} of the slot `orderNumber`',
    ],
    ["a slot that there is not", ["orders.status", "--slot", "order=1"], "no slot `order`"],
    ["a slot without a value", ["orders.status", "--slot", "orderNumber"], "--slot takes name=value"],
  ])("says what is wrong with %s", async (_, [intent, ...args], says) => {
    const { exitCode, stderr } = await run(intent!, ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(says);
  });

  test("ends with 3 where the endpoint does not answer as the action expects", async () => {
    endpoint.answer = () => Response.json({ state: "lost" });
    const { exitCode, stdout } = await run("orders.status", ...SLOTS);
    expect(exitCode).toBe(3);
    expect(stdout).toContain("fault       no entry of `answers` matches");
  });

  test("judges what would be said by the intent's output schema, as a turn does", async () => {
    const outputSchema = { type: "string", maxLength: 20 };
    const bot = ordersBot({ outputSchema, fallbackResponse: "See mail." });
    writeFileSync(join(folder, "judged.json"), JSON.stringify(bot));
    endpoint.answer = () => Response.json({ state: "packing" });
    const good = await runOf("judged.json", "orders.status", ...SLOTS, "--json");
    expect(JSON.parse(good.stdout)).toMatchObject({ status: 200, says: "It is being packed." });
    endpoint.answer = () => Response.json({ state: "note", note: "it is in the second van" });
    const { exitCode, stdout } = await runOf("judged.json", "orders.status", ...SLOTS);
    expect(exitCode).toBe(3);
    expect(stdout).toContain("fault       what would be said fails the output schema: ");
    expect(stdout).not.toContain("says        ");
  });
});

describe("parley chat with a bot of actions", () => {
  const chat = (stdin: string, ...args: string[]) => {
    endpoint.requests.length = 0;
    const settings = { ...endpoint.settings(), headers: { Authorization: { env: "AUTH" } } };
    const endpoints = JSON.stringify({ orders: settings, "order-changes": settings });
    const env = { PARLEY_ENDPOINTS: endpoints, PARLEY_ENCODER: "off", AUTH: "Bearer very-secret" };
    return runInTerminal(["chat", join(folder, "shop.json"), ...args], { env, stdin });
  };
  const CANCELLING = "cancel order 48213, ann@example.org\nyes\n";

  test("calls nothing, and shows the request", async () => {
    const { stdout, exitCode } = await chat(CANCELLING);
    expect(stdout).toBe('Cancel order 48213?\n`POST /orders/48213/cancel` `{"email":"ann@example.org"}`\n');
    expect(exitCode).toBe(0);
    expect(endpoint.requests).toEqual([]);
  });

  test("does it with --call-endpoints, and says so first", async () => {
    endpoint.answer = () => Response.json({});
    const { stdout, stderr } = await chat(CANCELLING, "--call-endpoints");
    expect(stderr).toContain("what you ask for, or confirm, is really done");
    expect(stdout).toBe("Cancel order 48213?\nOrder 48213 is cancelled.\n");
    expect(endpoint.requests.map(({ headers }) => headers["authorization"])).toEqual(["Bearer very-secret"]);
  });
});
