import { describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { eventually } from "../support/eventually.ts";
import {
  type CommandResult,
  type ServingExecutable,
  emptyFolder,
  runExecutable,
  serveExecutable,
} from "../support/executable.ts";
import type { ChatResponseBody } from "../support/parley.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const BOT = `
id: shop
name: Shop
allowedDomains: ["*"]
intents:
  - name: orders.status
    examples: [where is my order, track my parcel please, when will my package arrive]
    responses: [It is on its way.]
  - name: account.delete
    examples: [delete my account, erase all of my data, remove my profile for good]
capabilityProfile:
  deny: [account.*]
`;
const ROOMY = ["--rate-limit-capacity", "100000", "--rate-limit-per-minute", "100000"];

/** A folder with nothing but a bot file, and the commands an operator would type in it. */
function operator() {
  const cwd = emptyFolder();
  const write = (text: string) => writeFileSync(join(cwd, "shop.yaml"), text);
  write(BOT);
  const run = (...args: string[]) => runExecutable(args, { cwd });
  const issueToken = async () =>
    JSON.parse((await run("token", "create", "--bot", "shop", "--json")).stdout) as {
      token: string;
      id: string;
    };
  return { cwd, write, run, issueToken };
}

function expectDone({ exitCode, stderr }: CommandResult): void {
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
}

function chat(
  { url }: ServingExecutable,
  token: string,
  input: string,
  conversationId?: string,
): Promise<Response> {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ botId: "shop", input, ...(conversationId !== undefined && { conversationId }) }),
  });
}

const bodyOf = async (response: Response) => (await response.json()) as ChatResponseBody;

describe("the executable alone in an empty folder", () => {
  test("seeds, serves, chats, restarts, and continues the conversation", async () => {
    const { cwd, run, issueToken } = operator();
    expectDone(await run("seed", "shop.yaml"));
    const { token } = await issueToken();
    let conversationId: string;
    {
      await using serving = await serveExecutable(cwd, ROOMY);
      const answered = await bodyOf(await chat(serving, token, "where is my order?"));
      expect(answered).toMatchObject({ response: "It is on its way.", intentDetected: "orders.status" });
      conversationId = answered.conversationId;
      const denied = await bodyOf(await chat(serving, token, "please delete my account", conversationId));
      expect(denied.metadata).toMatchObject({ capabilityAllowed: false, enforcementReason: "DENY_LIST" });
    }
    await using serving = await serveExecutable(cwd, ROOMY);
    const continued = await bodyOf(await chat(serving, token, "track my parcel please", conversationId));
    expect(continued.conversationId).toBe(conversationId);
    const shown = await run("conversation", "show", conversationId, "--json");
    const { turns } = JSON.parse(shown.stdout) as { turns: { input: string; requestId: string }[] };
    expect(turns.map((turn) => turn.input)).toEqual([
      "where is my order?",
      "please delete my account",
      "track my parcel please",
    ]);
    const explained = await run("explain", turns[1]!.requestId);
    expectDone(explained);
    expect(explained.stdout).toContain("account.delete");
  }, 120_000);

  test("writes nothing outside its data folder", async () => {
    const { cwd, run } = operator();
    expectDone(await run("seed", "shop.yaml"));
    expect(readdirSync(cwd).toSorted()).toEqual(isOnPostgres ? ["shop.yaml"] : ["data", "shop.yaml"]);
  });

  test("stops on SIGTERM with exit code 0, after the turns in flight", async () => {
    const { cwd, run, issueToken } = operator();
    expectDone(await run("seed", "shop.yaml"));
    const { token } = await issueToken();
    const serving = await serveExecutable(cwd, ROOMY);
    const inFlight = Array.from({ length: 20 }, () => chat(serving, token, "where is my order?"));
    await Promise.race(inFlight);
    serving.process.kill("SIGTERM");
    const answers = await Promise.allSettled(inFlight);
    expect(await serving.process.exited).toBe(0);
    const answered = answers.filter(
      (answer) => answer.status === "fulfilled" && answer.value.status === 200,
    ).length;
    expect(answered).toBeGreaterThan(0);
    if (!isOnPostgres)
      expect(readdirSync(join(cwd, "data")).toSorted()).toEqual([
        "parley.db",
        "parley.db.marker",
        "parley.lock",
      ]);
  }, 120_000);
});

describe("two processes", () => {
  test("a seed, a revocation and a disabled bot reach the running server within a second", async () => {
    const { cwd, write, run, issueToken } = operator();
    expectDone(await run("seed", "shop.yaml"));
    const { token, id } = await issueToken();
    await using serving = await serveExecutable(cwd, ROOMY);
    const answer = async () => (await bodyOf(await chat(serving, token, "where is my order?"))).response;
    expect(await answer()).toBe("It is on its way.");
    write(BOT.replace("It is on its way.", "It has arrived."));
    expectDone(await run("seed", "shop.yaml"));
    await eventually(async () => (await answer()) === "It has arrived.");
    expectDone(await run("bot", "disable", "shop"));
    await eventually(async () => (await chat(serving, token, "hi")).status === 404);
    expectDone(await run("bot", "enable", "shop"));
    await eventually(async () => (await chat(serving, token, "hi")).status === 200);
    expectDone(await run("token", "revoke", id));
    await eventually(async () => (await chat(serving, token, "hi")).status === 401);
  }, 120_000);

  test("seeding all the while, the cap is exact and no acknowledged message is lost", async () => {
    const { cwd, write, run, issueToken } = operator();
    write(`${BOT}monthlyMessageCap: 300\n`);
    expectDone(await run("seed", "shop.yaml"));
    const { token } = await issueToken();
    await using serving = await serveExecutable(cwd, ROOMY);
    let seeding = true;
    const seedOn = (async () => {
      for (let i = 0; seeding; i += 1) {
        write(`${BOT.replace("on its way", `on its way ${i}`)}monthlyMessageCap: 300\n`);
        expectDone(await run("seed", "shop.yaml"));
      }
    })();
    const statuses: number[] = [];
    const caller = async () => {
      for (let i = 0; i < 50; i += 1)
        statuses.push((await chat(serving, token, "where is my order?")).status);
    };
    await Promise.all(Array.from({ length: 8 }, caller));
    seeding = false;
    await seedOn;
    expect(statuses.filter((status) => status === 200)).toHaveLength(300);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100);
  }, 120_000);

  test("killed in the middle of it, the server has kept and counted every acknowledged message", async () => {
    const { cwd, run, issueToken } = operator();
    expectDone(await run("seed", "shop.yaml"));
    const { token } = await issueToken();
    const serving = await serveExecutable(cwd, ROOMY);
    const { conversationId } = await bodyOf(await chat(serving, token, "where is my order?"));
    let acknowledged = 1;
    const caller = async () => {
      for (;;) {
        const response = await chat(serving, token, "where is my order?", conversationId).catch(
          () => undefined,
        );
        if (response?.status !== 200) return;
        acknowledged += 1;
      }
    };
    const callers = Array.from({ length: 6 }, caller);
    await Bun.sleep(400);
    serving.process.kill("SIGKILL");
    await Promise.all(callers);
    const shown = await run("conversation", "show", conversationId, "--json");
    expectDone(shown);
    const { turns } = JSON.parse(shown.stdout) as { turns: unknown[] };
    expect(turns.length).toBeGreaterThanOrEqual(acknowledged);
    expect(turns.length).toBeLessThanOrEqual(acknowledged + 6);
  }, 120_000);
});
