import { beforeEach, describe, expect, test } from "bun:test";

import { Registry } from "prom-client";

import type { BotId } from "../../../src/domain/ids.ts";
import { BotMetrics, type CountedBot, MAX_LABELLED_BOTS } from "../../../src/metrics/bots.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";

let registry: Registry;
let metrics: BotMetrics;
beforeEach(() => {
  registry = new Registry();
  metrics = new BotMetrics([registry]);
});

let keys = 0;
const bot = (id: string, limits: CountedBot["limits"] = {}): CountedBot => ({
  id: id as BotId,
  key: ++keys as BotKey,
  limits,
});

/** Bots that come before any other by their ids. */
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => bot(`a${String(n).padStart(5, "0")}`));

async function valuesOf(name: string): Promise<Map<string, number>> {
  const { values } = await registry.getSingleMetric(name)!.get();
  return new Map(values.map(({ labels, value }) => [Object.values(labels).join(" "), value]));
}

const turns = () => valuesOf("parley_bot_turns_total");
const labelled = async () => new Set([...(await turns()).keys()].map((labels) => labels.split(" ")[0]));

describe("turns by bot", () => {
  test("are counted by what came of them, from zero on", async () => {
    metrics.follow([bot("shop"), bot("clinic")]);
    metrics.countTurn("shop" as BotId, "answered");
    metrics.countTurn("shop" as BotId, "answered");
    metrics.countTurn("shop" as BotId, "no_intent_match");
    const counts = await turns();
    expect(counts.get("shop answered")).toBe(2);
    expect(counts.get("shop no_intent_match")).toBe(1);
    expect(counts.get("clinic answered")).toBe(0);
    expect(await turns()).toEqual(counts);
    expect(await labelled()).toEqual(new Set(["shop", "clinic"]));
  });

  test("have a label for a hundred bots, and one for all others", async () => {
    const bots = many(5000);
    metrics.follow(bots);
    for (const { id } of bots) metrics.countTurn(id, "social");
    const counts = await turns();
    expect((await labelled()).size).toBe(MAX_LABELLED_BOTS + 1);
    expect(counts.get("other social")).toBe(5000 - MAX_LABELLED_BOTS);
    expect((await valuesOf("parley_bots")).get("")).toBe(5000);
  });

  test("of bots that are gone leave, and make room for another, which begins at zero", async () => {
    const bots = many(MAX_LABELLED_BOTS + 1);
    const [gone, waiting] = [bots[0]!, bots.at(-1)!];
    metrics.follow(bots);
    metrics.countTurn(gone.id, "answered");
    metrics.countTurn(waiting.id, "answered");
    metrics.follow(bots.slice(1));
    const counts = await turns();
    expect(counts.has(`${gone.id} answered`)).toBe(false);
    expect(counts.get(`${waiting.id} answered`)).toBe(0);
    // No counter falls: what was counted together stays so.
    expect(counts.get("other answered")).toBe(1);
  });

  test("of a bot called `other` are counted with the others", async () => {
    metrics.follow([bot("other", { monthlyMessageCap: 5 }), bot("shop")]);
    metrics.countTurn("other" as BotId, "answered");
    expect((await turns()).get("other answered")).toBe(1);
  });
});

describe("usage by bot", () => {
  test("is shown against cap and budget, where there are any", async () => {
    const [shop, clinic] = [bot("shop", { monthlyMessageCap: 100, monthlyTokenBudget: 5000 }), bot("clinic")];
    metrics.follow([shop, clinic]);
    await metrics.showUsage(async (asked) => {
      expect(new Set(asked)).toEqual(new Set([shop.key, clinic.key]));
      return new Map([[shop.key, { messages: 90, modelTokens: 20 }]]);
    });
    expect(await valuesOf("parley_bot_month_messages")).toEqual(
      new Map([
        ["shop", 90],
        ["clinic", 0],
      ]),
    );
    expect(await valuesOf("parley_bot_month_message_cap")).toEqual(new Map([["shop", 100]]));
    expect(await valuesOf("parley_bot_month_model_tokens")).toEqual(
      new Map([
        ["shop", 20],
        ["clinic", 0],
      ]),
    );
    expect(await valuesOf("parley_bot_month_token_budget")).toEqual(new Map([["shop", 5000]]));
  });

  test("is never that of an earlier look, where it cannot be read or a cap is gone", async () => {
    const shop = bot("shop", { monthlyMessageCap: 100 });
    metrics.follow([shop]);
    await metrics.showUsage(async () => new Map([[shop.key, { messages: 90, modelTokens: 0 }]]));
    metrics.follow([{ ...shop, limits: {} }]);
    await metrics.showUsage(async () => new Map());
    expect((await valuesOf("parley_bot_month_message_cap")).size).toBe(0);
    const unread = metrics.showUsage(() => Promise.reject(new Error("the disk is gone")));
    await expect(unread).rejects.toThrow("the disk is gone");
    await unread.catch(() => {});
    expect((await valuesOf("parley_bot_month_messages")).size).toBe(0);
  });

  test("is read of a hundred bots at most, those with a cap first", async () => {
    const capped = bot("zz", { monthlyMessageCap: 1 });
    metrics.follow([...many(5000), capped]);
    await metrics.showUsage(async (asked) => {
      expect(asked).toHaveLength(MAX_LABELLED_BOTS);
      expect(asked).toContain(capped.key);
      return new Map();
    });
  });
});
