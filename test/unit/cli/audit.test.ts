import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import type { ChatMetadata } from "../../../src/domain/chat.ts";
import type { DecisionReceipt } from "../../../src/domain/decision.ts";
import {
  type IntentName,
  newConversationId,
  newRequestId,
  secureRandomBytes,
} from "../../../src/domain/ids.ts";
import { Store } from "../../../src/store/store.ts";
import { shopBot } from "../../support/bots.ts";
import { CliFixture } from "../../support/cli.ts";
import { turnWith } from "../../support/turns.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 24 * 60 * 60 * 1000;

interface PastTurn {
  input?: string;
  intent?: string;
  reason?: ChatMetadata["enforcementReason"];
  receipt?: Partial<DecisionReceipt>;
  daysAgo?: number;
  bot?: string;
}

let cli: CliFixture;
beforeEach(async () => {
  cli = new CliFixture();
  await cli.run(["seed", "-"], { stdin: JSON.stringify(shopBot()) });
  await cli.seed("other");
});
afterEach(() => cli[Symbol.dispose]());

/** Stores turns as a server would have. */
async function store(...turns: PastTurn[]): Promise<void> {
  await using opened = new Store({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
  for (const { bot = "shop", daysAgo = 0, input = "hello", intent, reason, receipt } of turns) {
    const at = NOW - daysAgo * DAY_MS;
    const plain = turnWith({ requestId: newRequestId(at, secureRandomBytes), at, input });
    await opened.recordTurn({
      bot: opened.bots.find(bot)!.key,
      conversationId: newConversationId(at, secureRandomBytes),
      turn: {
        ...plain,
        ...(intent !== undefined && { intent: intent as IntentName }),
        metadata: {
          ...plain.metadata,
          capabilityAllowed: reason === undefined,
          ...(reason && { enforcementReason: reason }),
        },
        receipt: { ...plain.receipt, ...receipt },
      },
    });
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
    expect(stdout).toContain("Observed, not enforced: 1 would have been restricted");
  });

  test("groups what nothing matched, whether or not a default intent answered", async () => {
    await store(
      unmatched("do you rent out tents", "orders.status"),
      unmatched("do you rent tents", "orders.status"),
      { input: "do you rent out a tent", intent: "jokes.tell", receipt: { rule: "default-intent" } },
      unmatched("qwertz"),
      { ...ALLOWED, input: "rent" },
      { input: "rent", reason: "no_intent_match", receipt: { rule: "unclear" } },
    );
    const { unmatched: found } = (await audit()) as { unmatched: { clusters: { examples: string[] }[] } };
    expect(found).toMatchObject({
      turns: 4,
      clustered: 4,
      clusters: [{ turns: 3, closestIntent: "orders.status" }],
    });
    expect(found.clusters[0]?.examples.toSorted()).toEqual([
      "do you rent out a tent",
      "do you rent out tents",
      "do you rent tents",
    ]);
  });

  test("prints groups as YAML that a bot file takes, without the power to move the cursor", async () => {
    await store(unmatched("- rent: a tent"), unmatched("\u001b rent a tent please"));
    const { stdout } = await cli.run(["audit", "decisions", "shop"]);
    const snippet = stdout.slice(stdout.search(/^# \d messages/m));
    expect(stdout).not.toContain("\u001b");
    const { examples } = Bun.YAML.parse(snippet) as { examples: string[] };
    expect(examples.toSorted()).toEqual(["\u001b rent a tent please", "- rent: a tent"]);
  });

  test("sums up what a server stored", async () => {
    await cli.converse("shop", ["where is my order", "delete my account", "pasta carbonara"]);
    expect(await audit("--days", "36500")).toMatchObject({
      turns: 3,
      decisions: { allowed: 1, DENY_LIST: 1, no_intent_match: 1 },
      unmatched: { turns: 1, clusters: [] },
    });
  });

  test("of a bot that nobody spoke to says so", async () => {
    const { stdout, exitCode } = await cli.run(["audit", "decisions", "other"]);
    expect(stdout).toBe("other, since 2026-10-22T12:00:00Z: no turns\n");
    expect(exitCode).toBe(0);
  });

  test.each(["0", "-1", "1.5", "week"])("--days %s makes no sense", async (days) => {
    const { stderr, exitCode } = await cli.run(["audit", "decisions", "shop", "--days", days]);
    expect(stderr).toContain("It should be a number of days");
    expect(exitCode).toBe(2);
  });

  test("an unknown bot ends with 1", async () => {
    expect((await cli.run(["audit", "decisions", "shp"])).exitCode).toBe(1);
  });
});
