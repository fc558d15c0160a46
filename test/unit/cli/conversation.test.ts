import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { openStore } from "../../../src/cli/data-folder.ts";
import type { ConversationId, RequestId } from "../../../src/domain/ids.ts";
import { CliFixture } from "../../support/cli.ts";
import { turnWith } from "../../support/turns.ts";

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

/** Begins a turn, as if the model that should answer it had failed. */
async function storeUnanswered(requestId: RequestId): Promise<void> {
  const at = Date.UTC(2026, 10, 21, 12);
  await using store = openStore({ now: () => at }, { data: cli.data });
  await store.beginTurn({
    bot: store.bots.find("shop")!.key,
    conversationId: "cv_failed" as ConversationId,
    turn: turnWith({ requestId, at, state: "unanswered", input: "where is my order", response: "" }),
  });
}

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

describe("explain", () => {
  test("replays the decision with the bot of that time, though the bot has changed", async () => {
    const { requestIds } = await cli.converse("shop", ["can I sue you"]);
    const changed = { ...BOT, capabilityProfile: {} };
    await cli.run(["seed", "-"], { stdin: JSON.stringify(changed) });
    const { stdout, exitCode } = await cli.run(["explain", requestIds[0]!]);
    expect(stdout).toContain("shop, version 1");
    expect(stdout).toContain("input       can I sue you");
    expect(stdout).toMatch(/decision +DENY_LIST, by /);
    expect(stdout).toMatch(
      /as written +in scope [01]\.\d{3}; closest to legal\.advice [01]\.\d{3}.*; asks for something denied [01]\.\d{3}; nearest denied: legal\.advice [01]\.\d{3} \(words? \d/,
    );
    expect(stdout).not.toMatch(/^(observed|answer) /m);
    expect(stdout).toMatch(/replay +comes to the same/);
    expect(exitCode).toBe(0);
  });

  test("prints JSON", async () => {
    const { requestIds } = await cli.converse("shop", ["where is my order"]);
    const { stdout } = await cli.run(["explain", requestIds[0]!, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      turn: { requestId: requestIds[0], botVersion: 1 },
      replayed: { decision: { kind: "allowed", intent: "orders.status" } },
      agrees: true,
    });
  });

  test("a request that is not there ends with 1", async () => {
    const { stderr, exitCode } = await cli.run(["explain", "rq_none"]);
    expect(stderr).toContain("no turn of request `rq_none`");
    expect(stderr).toContain("or the replay of an earlier answer");
    expect(exitCode).toBe(1);
  });

  test("says what enforcement would have done to a turn of observe mode", async () => {
    const observing = { ...BOT, capabilityProfile: { ...BOT.capabilityProfile, mode: "observe" } };
    await cli.run(["seed", "-"], { stdin: JSON.stringify(observing) });
    const { requestIds } = await cli.converse("shop", ["can I sue you"]);
    const { stdout } = await cli.run(["explain", requestIds[0]!]);
    expect(stdout).toMatch(/^decision +allowed, by /m);
    expect(stdout).toMatch(
      /^observed +enforcement would have restricted it: DENY_LIST for legal\.advice, by denied-/m,
    );
  });

  test("says that the answer of a turn failed", async () => {
    await cli.run(["seed", "-"], { stdin: JSON.stringify({ ...BOT, responder: { kind: "model" } }) });
    const requestId = "rq_failed" as RequestId;
    await storeUnanswered(requestId);
    const { stdout } = await cli.run(["explain", requestId]);
    expect(stdout).toMatch(/^answer +the answer failed: not counted$/m);
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
