import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";

import type { ChatMetadata } from "../../../src/domain/chat.ts";
import type { DecisionReceipt } from "../../../src/domain/decision.ts";
import {
  type IntentName,
  type ConversationId,
  newConversationId,
  newRequestId,
  secureRandomBytes,
} from "../../../src/domain/ids.ts";
import type { LikelyWrongTurns, UnansweredMessages } from "../../../src/operate/audit-decisions.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../support/bots.ts";
import { CliFixture } from "../../support/cli.ts";
import { suggestionsOf, turnWith } from "../../support/turns.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 24 * 60 * 60 * 1000;

interface PastTurn {
  input?: string;
  intent?: string;
  reason?: ChatMetadata["enforcementReason"];
  receipt?: Partial<DecisionReceipt>;
  daysAgo?: number;
  bot?: string;
  /** Those with the same name are turns of one conversation, in order. */
  talk?: string;
  response?: string;
  rated?: { rating: "up" | "down"; reason?: string };
}

/** Both bots are trained once; each test has a copy. */
let seeded: CliFixture;
beforeAll(async () => {
  seeded = new CliFixture();
  await seeded.run(["seed", "-"], { stdin: JSON.stringify(shopBot()) });
  await seeded.seed("other");
});
afterAll(() => seeded[Symbol.dispose]());

let cli: CliFixture;
beforeEach(() => {
  cli = new CliFixture();
  cpSync(seeded.data, cli.data, { recursive: true });
});
afterEach(() => cli[Symbol.dispose]());

/** Stores turns as a server would have. */
async function store(...turns: PastTurn[]): Promise<void> {
  await using opened = new SqliteStore({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
  const talks = new Map<string, ConversationId>();
  for (const [place, turn] of turns.entries()) {
    const { bot = "shop", daysAgo = 0, input = "hello", intent, reason, receipt, rated, response } = turn;
    const at = NOW - daysAgo * DAY_MS + place;
    const begun = newConversationId(at, secureRandomBytes);
    const plain = turnWith({ requestId: newRequestId(at, secureRandomBytes), at, input });
    await opened.recordTurn({
      bot: (await opened.bots.find(bot))!.key,
      conversationId: turn.talk === undefined ? begun : talks.getOrInsert(turn.talk, begun),
      turn: {
        ...plain,
        ...(response !== undefined && { response }),
        ...(intent !== undefined && { intent: intent as IntentName }),
        metadata: {
          ...plain.metadata,
          capabilityAllowed: reason === undefined,
          ...(reason && { enforcementReason: reason }),
        },
        receipt: { ...plain.receipt, ...receipt },
      },
    });
    if (rated) await opened.feedback.save({ requestId: plain.requestId, at: NOW, ...rated });
  }
}

function unmatched(input: string, closest?: string): PastTurn {
  const scores = closest === undefined ? [] : [{ intent: closest as IntentName, confidence: 0.2 }];
  return {
    input,
    reason: "no_intent_match",
    receipt: { rule: "no-match", readings: [{ reading: "plain", scores, inScope: 0.9, denied: 0 }] },
  };
}

interface Audited {
  unmatched: UnansweredMessages;
  refusedMessages: UnansweredMessages;
  knowledge: { unknown: UnansweredMessages; withheld: UnansweredMessages };
  likelyWrong: LikelyWrongTurns;
}

async function audit(...flags: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await cli.run(["audit", "decisions", "shop", "--json", ...flags]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const ALLOWED = { intent: "orders.status" };
const DENIED = { intent: "account.delete", reason: "DENY_LIST" } as const;

describe("audit decisions", () => {
  test("counts turns by decision, and the intents that were refused", async () => {
    const unlisted = { intent: "jokes.tell", reason: "NOT_IN_ALLOW_LIST" } as const;
    await store(ALLOWED, ALLOWED, unlisted, DENIED, DENIED, DENIED, {
      ...ALLOWED,
      reason: "schema_fallback",
    });
    expect(await audit()).toMatchObject({
      botId: "shop",
      turns: 7,
      decisions: { allowed: 2, DENY_LIST: 3, NOT_IN_ALLOW_LIST: 1, schema_fallback: 1 },
      refused: [
        { intent: "account.delete", reason: "DENY_LIST", turns: 3 },
        { intent: "jokes.tell", reason: "NOT_IN_ALLOW_LIST", turns: 1 },
      ],
      wouldRestrict: { turns: 0, refused: [] },
    });
  });

  test("tells what actions did, in words", async () => {
    const call = { id: "act_1", endpoint: "orders", method: "GET", milliseconds: 3 } as const;
    const action = { intent: "orders.status" as IntentName, state: "failed" as const };
    await store(
      { ...ALLOWED, receipt: { action: { ...action, call: { ...call, status: 404, proofFailed: true } } } },
      { ...ALLOWED, receipt: { action: { ...action, call: { ...call, isDry: true } } } },
    );
    const { stdout } = await cli.run(["audit", "decisions", "shop"]);
    expect(stdout).toContain("Actions:");
    expect(stdout).toMatch(/orders\.status +GET orders +not done +status 404; the proof failed +1/);
    expect(stdout).toMatch(/orders\.status +GET orders +would be called +1/);
    expect((await audit())["calls"]).toHaveLength(2);
  });

  test("looks back as far as asked, at that bot alone", async () => {
    await store(
      ALLOWED,
      { ...ALLOWED, daysAgo: 10 },
      { ...ALLOWED, daysAgo: 40 },
      { ...ALLOWED, bot: "other" },
    );
    expect(await audit()).toMatchObject({ turns: 2 });
    expect(await audit("--days", "7")).toMatchObject({ turns: 1, since: "2026-11-14T12:00:00Z" });
    expect(await audit("--days", "100")).toMatchObject({ turns: 3 });
    const { stdout } = await cli.run(["audit", "decisions", "shop", "--days", "7"]);
    expect(stdout).toStartWith("shop, since 2026-11-14T12:00:00Z: 1 turn\n");
  });

  describe("ratings", () => {
    const VAGUE: PastTurn = {
      ...ALLOWED,
      input: "where is my order",
      rated: { rating: "down", reason: "too\nvague\u001b[2J" },
    };
    const HELPED: PastTurn = { ...ALLOWED, input: "and now", rated: { rating: "up" } };

    test("are listed with what was asked, answered and said of it, the latest first", async () => {
      await store(VAGUE, ALLOWED, HELPED, { ...VAGUE, daysAgo: 40 }, { ...HELPED, bot: "other" });
      const { onlyRated, turns, rated } = await audit();
      expect({ onlyRated, turns, rated }).toEqual({
        onlyRated: null,
        turns: 3,
        rated: {
          up: 1,
          down: 1,
          answers: [
            expect.objectContaining({ input: "and now", rating: "up", reason: null, decision: "allowed" }),
            {
              requestId: expect.stringMatching(/^rq_/),
              conversationId: expect.stringMatching(/^cv_/),
              at: "2026-11-21T12:00:00Z",
              input: "where is my order",
              response: expect.any(String),
              intent: "orders.status",
              decision: "allowed",
              rating: "down",
              reason: "too\nvague\u001b[2J",
            },
          ],
          more: 0,
        },
      });
      const { stdout } = await cli.run(["audit", "decisions", "shop"]);
      expect(stdout).toContain("Rated: 1 up, 1 down\n");
      expect(stdout).toContain("> where is my order\n");
      expect(stdout).toEndWith("rated down: too vague\\u001b[2J\n");
    });

    test("--rated sums up turns alone that are rated so", async () => {
      await store(
        VAGUE,
        HELPED,
        { ...unmatched("sing"), rated: { rating: "down" } },
        unmatched("dance"),
        DENIED,
      );
      expect(await audit("--rated", "down")).toMatchObject({
        onlyRated: "down",
        turns: 2,
        decisions: { allowed: 1, no_intent_match: 1 },
        refused: [],
        unmatched: { turns: 1, clusters: [{ examples: ["sing"] }] },
        rated: { up: 0, down: 2 },
      });
      expect(await audit("--rated", "up")).toMatchObject({ turns: 1, rated: { up: 1, down: 0 } });
      const { stdout } = await cli.run(["audit", "decisions", "shop", "--rated", "up"]);
      expect(stdout).toStartWith("shop, since 2026-10-22T12:00:00Z: 1 turn rated up\n");
      const nobody = await cli.run(["audit", "decisions", "other", "--rated", "down"]);
      expect(nobody.stdout).toEndWith(": no turns rated down\n");
      const odd = await cli.run(["audit", "decisions", "--rated", "sideways"]);
      expect(odd.exitCode).toBe(2);
      expect(odd.stderr).toContain("Allowed choices are up, down");
    });

    test("are as many as --limit says, and say that texts are not kept", async () => {
      await store(HELPED, HELPED, { ...VAGUE, input: "", rated: { rating: "down" } });
      expect(await audit("--limit", "1")).toMatchObject({
        rated: { up: 2, down: 1, more: 2, answers: [{ input: null, response: null, reason: null }] },
      });
      const { stdout } = await cli.run(["audit", "decisions", "shop", "--limit", "1"]);
      expect(stdout).toContain("(not kept)\nrated down\n\n… and 2 more");
    });
  });

  test.each([
    ["7d", 1],
    ["2026-11-01", 2],
    ["2026-10-01", 3],
  ])("--since %s", async (since, turns) => {
    await store(ALLOWED, { ...ALLOWED, daysAgo: 10 }, { ...ALLOWED, daysAgo: 40 });
    expect(await audit("--since", since)).toMatchObject({ turns });
  });

  test("without a bot looks at all, and takes one as an option as well", async () => {
    await store(ALLOWED, { ...ALLOWED, bot: "other" });
    const { stdout } = await cli.run(["audit", "decisions", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      bots: [
        { botId: "other", turns: 1 },
        { botId: "shop", turns: 1 },
      ],
    });
    const both = await cli.run(["audit", "decisions"]);
    expect(both.stdout).toMatch(/^other, since [^]*^shop, since /m);
    await cli.seed("silent");
    const all = await cli.run(["audit", "decisions"]);
    expect(all.stdout).toEndWith("\n\n\nno turns since 2026-10-22T12:00:00Z: silent\n");
    const other = await cli.run(["audit", "decisions", "--bot", "other", "--json"]);
    expect(JSON.parse(other.stdout)).toMatchObject({ botId: "other", turns: 1 });
    expect((await cli.run(["audit", "decisions", "shop", "--bot", "other"])).exitCode).toBe(2);
  });

  test.each([
    ["--since", "yesterday", "Use a duration back from now such as 7d"],
    ["--limit", "0", "Use a number of 1 or more"],
  ])("%s %s makes no sense", async (flag, value, message) => {
    const { stderr, exitCode } = await cli.run(["audit", "decisions", "shop", flag, value]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test("tells what observe mode would have restricted", async () => {
    const wouldRestrict = {
      kind: "restricted",
      reason: "DENY_LIST",
      intent: "account.delete" as IntentName,
      rule: "denied-in-clause",
      suggestions: [],
    } as const;
    await store(ALLOWED, { ...ALLOWED, receipt: { wouldRestrict } }, { ...DENIED, reason: undefined });
    expect(await audit()).toMatchObject({
      decisions: { allowed: 3 },
      wouldRestrict: { turns: 1, refused: [{ intent: "account.delete", reason: "DENY_LIST", turns: 1 }] },
    });
    const { stdout } = await cli.run(["audit", "decisions", "shop"]);
    expect(stdout).toContain("Observed, not enforced: 1 would have been refused");
  });

  test("groups what nothing matched, whether or not a default intent answered", async () => {
    await store(
      unmatched("do you rent out tents", "orders.status"),
      unmatched("do you rent tents", "orders.status"),
      { input: "do you rent out a tent", intent: "jokes.tell", receipt: { rule: "default-intent" } },
      unmatched("qwertz"),
      { ...ALLOWED, input: "rent" },
    );
    const { unmatched: found } = (await audit()) as unknown as Audited;
    expect(found).toMatchObject({
      turns: 4,
      clustered: 4,
      more: 0,
      clusters: [
        { turns: 3, distinct: 3, closestIntent: "orders.status", refusedIntent: null },
        { turns: 1, distinct: 1, closestIntent: null, examples: ["qwertz"] },
      ],
    });
    expect(found.clusters[0]?.examples.toSorted()).toEqual([
      "do you rent out a tent",
      "do you rent out tents",
      "do you rent tents",
    ]);
  });

  test("lists every message that nothing matched, though no two are alike", async () => {
    const messages = ["android app", "pasta carbonara", "qwertz", "who won the cup", "sing a song", "Hallo!"];
    await store(...messages.map((text) => unmatched(text)));
    const { stdout } = await cli.run(["audit", "decisions", "shop"]);
    expect(stdout).toContain("Nothing matched: 6 messages\n\n# each once, close to no intent\n");
    for (const message of messages) expect(stdout).toContain(`\n- ${message}\n`);
  });

  test("lists what was refused, by intent and reason, most frequent first", async () => {
    const unlisted = { intent: "jokes.tell", reason: "NOT_IN_ALLOW_LIST" } as const;
    await store(
      { ...unlisted, input: "tell me a joke" },
      { ...DENIED, input: "delete my account" },
      { ...DENIED, input: "Delete my account!" },
      { ...DENIED, input: "erase everything at once" },
    );
    const { refusedMessages } = (await audit()) as unknown as Audited;
    expect(refusedMessages).toMatchObject({
      turns: 4,
      clusters: [
        { turns: 2, distinct: 1, refusedIntent: "account.delete", reason: "DENY_LIST" },
        { turns: 1 },
        { turns: 1 },
      ],
    });
    const { stdout } = await cli.run(["audit", "decisions", "shop"]);
    expect(stdout).toContain("# 2 times, account.delete by DENY_LIST\n- Delete my account!\n");
    expect(stdout).toContain("# each once, jokes.tell by NOT_IN_ALLOW_LIST\n- tell me a joke");
  });

  test("counts what was asked back, and names no intent that is a mere guess", async () => {
    const guess = [{ intent: "orders.status" as IntentName, confidence: 0.02 }];
    await store(
      {
        ...unmatched("my thing is late", "orders.status"),
        receipt: { rule: "no-match", suggestions: suggestionsOf("orders.status") },
      },
      {
        input: "pasta carbonara",
        reason: "no_intent_match",
        receipt: { rule: "unclear", readings: [{ reading: "plain", scores: guess, inScope: 0, denied: 0 }] },
      },
    );
    expect((await audit())["unmatched"]).toMatchObject({ turns: 2, askedBack: 1 });
    const { stdout } = await cli.run(["audit", "decisions", "shop"]);
    expect(stdout).toContain("Nothing matched: 2 messages, 1 of them got a clarifying question");
    expect(stdout).not.toContain("closest to orders.status");
  });

  test("lists as many messages as asked for, and says how many more there are", async () => {
    await store(...["one apple", "two bananas", "three cherries"].map((text) => unmatched(text)));
    const { unmatched: found } = (await audit("--limit", "2")) as unknown as Audited;
    expect(found).toMatchObject({ turns: 3, clusters: [{ turns: 1 }, { turns: 1 }], more: 1 });
    const { stdout } = await cli.run(["audit", "decisions", "shop", "--limit", "2"]);
    expect(stdout).toContain("\n… and 1 more; a higher --limit lists them, and --all lists every one\n");
    expect((await cli.run(["audit", "decisions", "shop", "--all"])).stdout).not.toContain(" more");
  });

  test("prints groups as YAML that a bot file takes, without the power to move the cursor", async () => {
    await store(unmatched("- rent: a tent"), unmatched("\u001b rent a tent please"));
    const { stdout } = await cli.run(["audit", "decisions", "shop"]);
    const snippet = stdout.slice(stdout.search(/^# \d messages/m), stdout.indexOf("\nWhy"));
    expect(stdout).not.toContain("\u001b");
    const examples = Bun.YAML.parse(snippet) as string[];
    expect(examples.toSorted()).toEqual(["\u001b rent a tent please", "- rent: a tent"]);
  });

  test("sums up what a server stored", async () => {
    await cli.converse("shop", ["where is my order", "delete my account", "how do I cook pasta carbonara"]);
    expect(await audit("--days", "36500")).toMatchObject({
      turns: 3,
      decisions: { allowed: 1, DENY_LIST: 1, no_intent_match: 1 },
      unmatched: { turns: 1, clusters: [{ turns: 1, examples: ["how do I cook pasta carbonara"] }] },
      refusedMessages: { turns: 1, clusters: [{ turns: 1, examples: ["delete my account"] }] },
    });
  });

  test("of a bot that nobody spoke to says so", async () => {
    const { stdout, exitCode } = await cli.run(["audit", "decisions", "other"]);
    expect(stdout).toBe("other, since 2026-10-22T12:00:00Z: no turns\n");
    expect(exitCode).toBe(0);
  });

  test.each(["0", "-1", "1.5", "week"])("--days %s makes no sense", async (days) => {
    const { stderr, exitCode } = await cli.run(["audit", "decisions", "shop", "--days", days]);
    expect(stderr).toContain("Use a number of days");
    expect(exitCode).toBe(2);
  });

  test("an unknown bot ends with 1", async () => {
    expect((await cli.run(["audit", "decisions", "shp"])).exitCode).toBe(1);
  });
});

describe("what terms and patterns of a profile denied", () => {
  const byTerm = (input: string): PastTurn => ({
    input,
    reason: "DENY_LIST",
    receipt: { rule: "deny-term", deniedBy: { term: "xanax" } },
  });
  const byPattern: PastTurn = {
    input: "my card",
    reason: "DENY_LIST",
    receipt: { rule: "deny-pattern", deniedBy: { pattern: "card-number" } },
  };

  test("is counted by the rule", async () => {
    await store(byTerm("xanax?"), byTerm("any xanax left"), byPattern, DENIED);
    expect(await audit()).toMatchObject({
      refused: [
        { reason: "DENY_LIST", intent: null, deniedBy: { term: "xanax" }, turns: 2 },
        { reason: "DENY_LIST", intent: null, deniedBy: { pattern: "card-number" }, turns: 1 },
        { reason: "DENY_LIST", intent: "account.delete", deniedBy: null, turns: 1 },
      ],
    });
  });

  test("is named for people", async () => {
    await store(byTerm("xanax?"), byTerm("any xanax left"), byPattern);
    const { stdout } = await cli.run(["audit", "decisions", "shop"]);
    expect(stdout).toMatch(/term "xanax" +DENY_LIST +2/);
    expect(stdout).toMatch(/pattern card-number +DENY_LIST +1/);
    expect(stdout).toContain('# each once, term "xanax" by DENY_LIST');
  });

  test("in observe mode, too", async () => {
    const wouldRestrict = {
      kind: "restricted",
      reason: "DENY_LIST",
      rule: "deny-term",
      deniedBy: { term: "xanax" },
      suggestions: [],
    } as const;
    await store({ ...ALLOWED, receipt: { wouldRestrict } });
    expect(await audit()).toMatchObject({
      wouldRestrict: { turns: 1, refused: [{ deniedBy: { term: "xanax" }, intent: null }] },
    });
  });
});

/** The receipt of a turn that nothing matched, though its documents were asked. */
function asked(confidence: number): Partial<DecisionReceipt> {
  return { ...unmatched("").receipt, knowledge: { confidence, passages: [] } };
}

describe("what documents did not know", () => {
  test("is what no passage is likely to answer; the rest may stand in them", async () => {
    await store(
      { ...unmatched("sing a song"), receipt: asked(0.05) },
      { ...unmatched("how far do you come"), receipt: asked(0.4) },
      unmatched("nobody asked the documents this"),
    );
    const { knowledge } = (await audit()) as unknown as Audited;
    const texts = ({ clusters }: UnansweredMessages) => clusters.flatMap(({ examples }) => examples);
    expect(texts(knowledge.unknown)).toEqual(["sing a song"]);
    expect(texts(knowledge.withheld)).toEqual(["how far do you come"]);
    const { stdout } = await cli.run(["audit", "decisions", "shop"]);
    expect(stdout).toContain("Documents that may answer were not shown: 1 message");
    expect(stdout).toContain("Documents do not answer: 1 message");
  });
});

describe("a fragment", () => {
  test("is an example only with what was said before it", async () => {
    await store(
      { ...ALLOWED, talk: "a", input: "how much is a tent a night?" },
      { ...unmatched("and in august"), talk: "a" },
      { ...unmatched("do you rent out boats"), talk: "a" },
    );
    const { unmatched: found } = (await audit()) as unknown as Audited;
    expect(found.clusters.flatMap(({ examples }) => examples).toSorted()).toEqual([
      "do you rent out boats",
      "how much is a tent a night, and in august",
    ]);
  });
});

describe("likely wrong", () => {
  const ANSWERED = { ...ALLOWED, response: "Sure! Your order is on its way." };

  test("lists what visitors say is wrong first, with what was said before it, and why", async () => {
    await store(
      { ...ANSWERED, talk: "a", input: "where is my order" },
      { ...ANSWERED, talk: "a", input: "can I change the address" },
      { intent: "social.repair", talk: "a", input: "that is not what I asked" },
      { ...ANSWERED, talk: "b", input: "track my order", rated: { rating: "down", reason: "no number" } },
      { ...ANSWERED, talk: "c", input: "submarine tours" },
    );
    const { likelyWrong } = (await audit()) as unknown as Audited;
    expect(likelyWrong).toMatchObject({ looked: 5, turns: 3 });
    expect(likelyWrong.listed.map(({ input, before, why }) => [input, before, ...why])).toEqual([
      [
        "can I change the address",
        "where is my order",
        "the visitor then said: “that is not what I asked”",
        "the answer says nothing of “change”, “address”",
      ],
      ["track my order", null, "the visitor rated it down: “no number”"],
      ["submarine tours", null, "the answer says nothing of “submarine”, “tours”"],
    ]);
    const { stdout } = await cli.run(["audit", "decisions", "shop"]);
    expect(stdout).toContain("Likely wrong: 3 of the latest 5 answers");
    expect(stdout).toContain("why: the visitor rated it down: “no number”");
  });

  test("lists no more than asked for", async () => {
    await store({ ...ANSWERED, input: "submarine tours" }, { ...ANSWERED, input: "zeppelin flights" });
    const { likelyWrong } = (await audit("--limit", "1")) as unknown as Audited;
    expect(likelyWrong).toMatchObject({ turns: 2, listed: [{ input: "zeppelin flights" }] });
  });
});
