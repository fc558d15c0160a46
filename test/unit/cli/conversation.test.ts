import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import type { ConversationId, RequestId } from "../../../src/domain/ids.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { CliFixture } from "../../support/cli.ts";
import { askPerson } from "../../support/people.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

const BOT = {
  id: "shop",
  name: "Shop",
  allowedDomains: ["*"],
  intents: [
    { name: "orders.status", examples: ["where is my order", "track my parcel"], responses: ["On its way."] },
    { name: "legal.advice", examples: ["can I sue you", "I want a lawyer"], responses: ["Never said."] },
  ],
  capabilityProfile: { deny: ["legal.*"], refusals: { DENY_LIST: "I cannot advise on law." } },
};

let cli: CliFixture;
beforeEach(async () => {
  cli = new CliFixture();
  await cli.run(["seed", "-"], { stdin: JSON.stringify(BOT) });
});
afterEach(() => cli[Symbol.dispose]());

describe("conversation show", () => {
  test("prints every message with its answer, oldest first", async () => {
    const { conversationId } = await cli.converse("shop", ["where is my order", "can I sue you"]);
    const { stdout } = await cli.run(["conversation", "show", conversationId]);
    const said = stdout.split("\n").filter((line) => !line.includes("rq_"));
    expect(said).toEqual([
      `${conversationId}, with shop`,
      "",
      "> where is my order",
      "On its way.",
      "",
      "> can I sue you",
      "I cannot advise on law.",
      "",
    ]);
    expect(stdout).toContain("legal.advice, DENY_LIST");
  });

  test("prints JSON with everything that is stored", async () => {
    const { conversationId, requestIds } = await cli.converse("shop", ["where is my order"]);
    const { stdout } = await cli.run(["conversation", "show", conversationId, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      conversationId,
      botId: "shop",
      turns: [
        {
          requestId: requestIds[0],
          input: "where is my order",
          response: "On its way.",
          intent: "orders.status",
        },
      ],
    });
  });

  test("prints and exports the form for a person, and what was said with one, in its place", async () => {
    const { conversationId } = await cli.converse("shop", ["where is my order"]);
    {
      await using store = new SqliteStore({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
      const at = Date.now() + 60_000;
      const fields = { name: "Ada", message: "call\u001b[2J me" };
      const asked = { conversationId: conversationId as ConversationId, at, fields };
      await askPerson(store, { ...asked, said: ["hello?", "Hello Ada", "great"] });
    }
    const { stdout } = await cli.run(["conversation", "show", conversationId]);
    expect(
      stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.replace(/^\S+Z  /, "")),
    ).toEqual([
      `${conversationId}, with shop`,
      expect.stringContaining("orders.status, allowed"),
      "> where is my order",
      "On its way.",
      expect.stringMatching(/^ho_\w+  asked for a person, open$/),
      "name: Ada",
      "message: call\\u001b[2J me",
      "Ann joined",
      expect.stringMatching(/^rq_\w+  handed off to Ann$/),
      "> hello?",
      "Ann  operator",
      "Hello Ada",
      expect.stringMatching(/^rq_\w+  handed off to Ann$/),
      "> great",
      "The bot answers again",
    ]);
    const shown = await cli.run(["conversation", "show", conversationId, "--json"]);
    const exported = await cli.run(["conversation", "export"]);
    for (const { stdout: json } of [shown, exported])
      expect(JSON.parse(json)).toMatchObject({
        conversationId,
        turns: [{}, { input: "hello?" }, { input: "great" }],
        handoffs: [{ fields: { name: "Ada" }, state: "open", createdAt: expect.stringContaining("T") }],
        people: [
          { kind: "state", text: "live", name: "Ann" },
          { kind: "visitor", text: "hello?" },
          { kind: "operator", text: "Hello Ada", name: "Ann" },
          { kind: "visitor", text: "great" },
          { kind: "state", text: "open" },
        ],
      });
  });

  test("shows and exports a conversation that is nothing but a hand-off", async () => {
    const conversationId = "cv_asked" as ConversationId;
    {
      await using store = new SqliteStore({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
      await askPerson(store, { conversationId, at: NOW, fields: { email: "ada@example.com" } });
    }
    const { stdout } = await cli.run(["conversation", "show", conversationId]);
    expect(stdout).toContain("email: ada@example.com");
    const listed = await cli.run(["conversation", "list", "--grep", "ada@"]);
    expect(listed.stdout).toMatch(/cv_asked +shop +0 +asked for a person/);
    const json = await cli.run(["conversation", "list", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      conversations: [{ conversationId, latest: { requestId: null, input: null, outcome: "handoff" } }],
    });
    const exported = await cli.run(["conversation", "export"]);
    expect(JSON.parse(exported.stdout)).toMatchObject({
      conversationId,
      botId: "shop",
      turns: [],
      people: [],
    });
    expect(exported.stderr).toContain("exported 1 conversation with 0 turns");
  });

  test("says what the visitor thinks of an answer, and exports it", async () => {
    const { conversationId, requestIds } = await cli.converse("shop", ["where is my order", "can I sue you"]);
    {
      await using store = new SqliteStore({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
      const requestId = requestIds[0] as RequestId;
      await store.feedback.save({ requestId, rating: "down", reason: "where\u001b[2J exactly?", at: NOW });
    }
    const { stdout } = await cli.run(["conversation", "show", conversationId]);
    expect(stdout).toContain("On its way.\nrated down: where\\u001b[2J exactly?\n");
    expect(stdout.match(/rated/g)).toHaveLength(1);
    const feedback = { rating: "down", reason: "where\u001b[2J exactly?", at: "2026-11-21T12:00:00Z" };
    const shown = await cli.run(["conversation", "show", conversationId, "--json"]);
    const exported = await cli.run(["conversation", "export"]);
    for (const { stdout: json } of [shown, exported]) {
      const { turns } = JSON.parse(json) as { turns: { feedback?: unknown }[] };
      expect(turns.map((turn) => turn.feedback)).toEqual([feedback, undefined]);
    }
  });

  test("does not let a visitor's message command the operator's terminal", async () => {
    const { conversationId } = await cli.converse("shop", ["\u001b]0;owned\u0007 where is my order"]);
    const { stdout } = await cli.run(["conversation", "show", conversationId]);
    expect(stdout).toContain("> \\u001b]0;owned\\u0007 where is my order");
    expect(stdout).not.toContain("\u001b");
  });

  test("an id that is not there ends with 1", async () => {
    const { stderr, exitCode } = await cli.run(["conversation", "show", "cv_none"]);
    expect(stderr).toContain("no conversation `cv_none`");
    expect(exitCode).toBe(1);
  });
});

describe("conversation delete", () => {
  test("leaves nothing of the conversation, and no trace of others' touched", async () => {
    const erased = await cli.converse("shop", ["where is my order"]);
    const kept = await cli.converse("shop", ["where is my order"]);
    expect((await cli.run(["conversation", "delete", erased.conversationId])).exitCode).toBe(0);
    expect((await cli.run(["conversation", "show", erased.conversationId])).exitCode).toBe(1);
    expect((await cli.run(["explain", erased.requestIds[0]!])).exitCode).toBe(1);
    expect((await cli.run(["conversation", "show", kept.conversationId])).exitCode).toBe(0);
  });

  test("an id that is not there ends with 1", async () => {
    expect((await cli.run(["conversation", "delete", "cv_none"])).exitCode).toBe(1);
  });
});

describe("chat", () => {
  test("answers each line of a pipe on stdout, and shows what led to it on stderr", async () => {
    const { stdout, stderr, exitCode } = await cli.run(["chat", "shop"], {
      stdin: "where is my order\n\ncan I sue you\n",
    });
    expect(stdout).toBe("On its way.\nI cannot advise on law.\n");
    expect(stderr).toBe("  orders.status · allowed\n  legal.advice · restricted · DENY_LIST\n");
    expect(exitCode).toBe(0);
  });

  test("lists what a visitor's buttons offer, and a number sends one of them", async () => {
    const { stdout, stderr } = await cli.run(["chat", "shop"], { stdin: "quantum chromodynamics\n1\n9\n" });
    expect(stderr).toContain("  no intent · restricted · no_intent_match\n  1: ");
    const [, label] = /^ {2}1: (.+)$/m.exec(stderr)!;
    expect(stderr).toContain(`\n  ${label}\n  orders.status · allowed\n`);
    expect(stdout).toContain("\nOn its way.\n");
  });

  test("prints the whole conversation as one JSON document", async () => {
    const { stdout, stderr } = await cli.run(["chat", "shop", "--json"], {
      stdin: "where is my order\ncan I sue you\n",
    });
    const document = JSON.parse(stdout) as { turns: { conversationId: string }[] };
    expect(document).toMatchObject({
      botId: "shop",
      turns: [
        { input: "where is my order", response: "On its way.", metadata: { capabilityAllowed: true } },
        { input: "can I sue you", metadata: { enforcementReason: "DENY_LIST" } },
      ],
    });
    expect(new Set(document.turns.map((turn) => turn.conversationId)).size).toBe(1);
    expect(stderr).toBe("");
  });

  test("neither stores nor counts, and asks no cap", async () => {
    await cli.run(["seed", "-"], { stdin: JSON.stringify({ ...BOT, monthlyMessageCap: 1 }) });
    const { stdout } = await cli.run(["chat", "shop", "--json"], { stdin: "where is my order\n".repeat(3) });
    const { turns } = JSON.parse(stdout) as { turns: { conversationId: string }[] };
    expect(turns).toHaveLength(3);
    expect((await cli.run(["conversation", "show", turns[0]!.conversationId])).exitCode).toBe(1);
    const shown = await cli.run(["bot", "show", "shop", "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ version: 2, usage: { messages: 0 } });
  });

  test("a disabled bot can be tried out, too", async () => {
    await cli.run(["bot", "disable", "shop"]);
    expect((await cli.run(["chat", "shop"], { stdin: "where is my order\n" })).stdout).toBe("On its way.\n");
  });

  test("names the nearest bot for one that is not there", async () => {
    const { stderr, exitCode } = await cli.run(["chat", "shoop"]);
    expect(stderr).toContain("no bot `shoop`; did you mean `shop`?");
    expect(exitCode).toBe(1);
  });
});
