import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openStore } from "../../../src/cli/data-folder.ts";
import type { ConversationId, RequestId } from "../../../src/domain/ids.ts";
import { ENCODER_VERSION } from "../../../src/intent/classifier.ts";
import { Sqlite } from "../../../src/store/sqlite/driver.ts";
import { CliFixture } from "../../support/cli.ts";
import { askPerson } from "../../support/people.ts";
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
  await using store = await openStore({ now: () => at }, { data: cli.data });
  await store.beginTurn({
    bot: (await store.bots.find("shop"))!.key,
    conversationId: "cv_failed" as ConversationId,
    turn: turnWith({ requestId, at, state: "unanswered", input: "where is my order", response: "" }),
  });
}

describe("explain of a turn", () => {
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
    expect(stdout).toMatch(/replay +the same result/);
    expect(exitCode).toBe(0);
  });

  test("of a message to a person says so, and decides nothing again", async () => {
    const conversationId = "cv_person" as ConversationId;
    const at = Date.UTC(2026, 10, 21, 12);
    {
      await using store = await openStore({ now: () => at }, { data: cli.data });
      await askPerson(store, { conversationId, at, said: ["can I sue you"] });
    }
    const shown = await cli.run(["conversation", "show", conversationId, "--json"]);
    const { turns } = JSON.parse(shown.stdout) as { turns: { requestId: string }[] };
    const { stdout } = await cli.run(["explain", turns[0]!.requestId]);
    expect(stdout).toMatch(/decision +allowed, by handed-over \(a person had taken over\)/);
    expect(stdout).toContain("A person was there: the message was passed on to them");
    expect(stdout).not.toMatch(/replay|not understood|to do/);
    const json = await cli.run(["explain", turns[0]!.requestId, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ turn: { conversationId }, replayed: null });
  });

  test("names the encoder that had a part, and says where that is not at hand", async () => {
    const { requestIds } = await cli.converse("shop", ["how long until the goods get here"]);
    const explain = async (env = {}) => (await cli.run(["explain", requestIds[0]!], { env })).stdout;
    const atHand = await explain();
    expect(atHand).toContain(`encoded by  ${ENCODER_VERSION}`);
    expect(atHand).not.toMatch(/not at hand/);
    expect(await explain({ PARLEY_ENCODER: "off" })).toContain(
      `encoder     ${ENCODER_VERSION} is not available: replayed by words alone`,
    );
    const db = new Sqlite(join(cli.data, "parley.db"));
    db.prepare("UPDATE turns SET receipt = json_set(receipt, '$.encoder', 'older-1')").run();
    db.close();
    const later = await explain();
    expect(later).toContain("encoded by  older-1");
    expect(later).toContain(`encoder     older-1 is not available: replayed with ${ENCODER_VERSION}`);
    expect(later).toMatch(/replay +the same result/);
  });

  test("prints JSON", async () => {
    const { requestIds } = await cli.converse("shop", ["where is my order"]);
    const { stdout } = await cli.run(["explain", requestIds[0]!, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      turn: { requestId: requestIds[0], botVersion: 1 },
      replayed: { decision: { kind: "allowed", intent: "orders.status" } },
      agrees: true,
      reasons: {
        intent: "orders.status",
        nearest: { intent: "orders.status", text: "where is my order", likeness: 1 },
        repaired: [],
        unknown: [],
        advice: { addExampleTo: null },
      },
    });
  });

  test("says what decided it in plain words, with the part that asks for something denied", async () => {
    const { requestIds } = await cli.converse("shop", ["hello there, can I sue you"]);
    const { stdout } = await cli.run(["explain", requestIds[0]!]);
    expect(stdout).toMatch(/^in short +refused: legal\.advice is denied$/m);
    expect(stdout).toMatch(/^nearest +"can I sue you" of legal\.advice, \d+ % alike$/m);
    expect(stdout).toMatch(/nearest denied: legal\.advice [01]\.\d{3} \(words \d to \d: ".*sue.*"\)/);
    expect(stdout).toMatch(/^to do +If it asks for legal\.advice, nothing\./m);
  });

  test("a request that is not there ends with 1", async () => {
    const { stderr, exitCode } = await cli.run(["explain", "rq_none"]);
    expect(stderr).toContain("no turn with request id `rq_none`");
    expect(stderr).toContain("or the repetition of an earlier answer");
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

describe("explain of a message", () => {
  const explain = (...args: string[]) => cli.run(["explain", ...args]);

  test("decides it now, names the nearest example and the words that pulled, and what to do", async () => {
    const { stdout, exitCode } = await explain("--bot", "shop", "wheer is my parcel");
    expect(stdout).toMatch(
      /^bot +shop, version 1\ninput +wheer is my parcel\nin short +answered with orders\.status, /,
    );
    expect(stdout).toMatch(
      /^nearest +"(track my parcel|where is my order)" of orders\.status, \d+ % alike$/m,
    );
    expect(stdout).toMatch(
      /^words +for orders\.status: .*"parcel" 0\.\d\d.* \(a whole example comes to about 1\)$/m,
    );
    expect(stdout).toMatch(/^taken +wheer as where$/m);
    expect(stdout).toMatch(/^decision +allowed, by best-intent \(/m);
    expect(exitCode).toBe(0);
  });

  test("takes words without quotes as one message", async () => {
    const { stdout } = await explain("--bot", "shop", "where", "is", "my", "order");
    expect(stdout).toMatch(/^input +where is my order$/m);
  });

  test("of one that nothing matches says which words are new, and does not guess", async () => {
    const { stdout } = await explain("--bot", "shop", "pasta carbonara");
    expect(stdout).toMatch(/^in short +not understood$/m);
    expect(stdout).toMatch(/^unknown +"pasta", "carbonara": in no example$/m);
    expect(stdout).toMatch(/^to do +No intent comes close\./m);
    expect(stdout).not.toMatch(/^(nearest|words) /m);
  });

  test("stores nothing, whatever it is", async () => {
    await explain("--bot", "shop", "where is my order");
    const { stdout } = await cli.run(["conversation", "list", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ conversations: [], next: null });
    const shown = await cli.run(["bot", "show", "shop", "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ usage: { messages: 0 } });
  });

  test("takes a bot file that is not seeded, and makes no data folder for it", async () => {
    using elsewhere = new CliFixture();
    const file = join(elsewhere.folder, "shop.json");
    writeFileSync(file, JSON.stringify(BOT));
    const { stdout, exitCode } = await elsewhere.run(["explain", "--bot", file, "can I sue you", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      botId: "shop",
      botVersion: 0,
      input: "can I sue you",
      decision: { kind: "restricted", reason: "DENY_LIST", intent: "legal.advice" },
      reasons: { intent: "legal.advice", nearest: { text: "can I sue you", likeness: 1 } },
    });
    expect(exitCode).toBe(0);
    expect(existsSync(elsewhere.data)).toBe(false);
  });

  test("without a bot is a mistake that says what to do", async () => {
    const { stderr, exitCode } = await explain("where is my order");
    expect(stderr).toBe(
      'error: `where is my order` is not a request id, which starts with rq_; to explain a message, give its bot: --bot BOT "message"\n',
    );
    expect(exitCode).toBe(2);
  });

  test("an unknown bot ends with 1, a blank message with 2", async () => {
    expect((await explain("--bot", "shp", "hello")).exitCode).toBe(1);
    expect((await explain("--bot", "shop", " ")).exitCode).toBe(2);
  });

  test("does not let a message command the terminal", async () => {
    const { stdout } = await explain("--bot", "shop", "\u001b]0;owned\u0007 where is my order");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("explain of a message that a rule of the profile denies", () => {
  const ruled = {
    ...BOT,
    capabilityProfile: { ...BOT.capabilityProfile, denyTerms: ["lawsuit"], denyPatterns: ["iban"] },
  };

  test.each([
    ["track my parcel of lawsuits", "denyTerms", 'term "lawsuit"', "deny-term"],
    ["where is my order DE89370400440532013000", "denyPatterns", "pattern iban", "deny-pattern"],
  ])("names the rule: %s", async (text, list, rule, name) => {
    await cli.run(["seed", "-"], { stdin: JSON.stringify(ruled) });
    const { requestIds } = await cli.converse("shop", [text]);
    const outputs = [
      await cli.run(["explain", requestIds[0]!]),
      await cli.run(["explain", "--bot", "shop", text]),
    ];
    for (const { stdout } of outputs) {
      expect(stdout).toContain(`in short    refused: it holds what \`${list}\` denies: ${rule}`);
      expect(stdout).toContain(`DENY_LIST, by ${name}`);
      expect(stdout).toContain(`denied by   ${rule}`);
      expect(stdout).toContain(`take ${rule} out of \`${list}\``);
    }
    expect(outputs[0]!.stdout).toMatch(/replay +the same result/);
  });
});
