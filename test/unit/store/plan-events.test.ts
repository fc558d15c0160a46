import { describe, expect, test } from "bun:test";

import type { NewDelivery } from "../../../src/domain/delivery.ts";
import type { BotId, DeliveryId } from "../../../src/domain/ids.ts";
import { OUTCOMES } from "../../../src/domain/operator/overview.ts";
import {
  cappedRecipients,
  type CountedTurn,
  planTurnEvents,
  startName,
  reportableTurns,
} from "../../../src/store/analytics/plan-events.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import type { EventReporting } from "../../../src/store/interface/outbox.ts";

const BOT = 1 as BotKey;
const turn = (fields: Partial<CountedTurn> = {}): CountedTurn => ({
  bot: BOT,
  at: 100,
  outcome: "refused",
  actionState: null,
  ...fields,
});
test("an action that was called is told as what became of it, and one that asks is not", () => {
  const turns = ["done", "failed", "unsure", "asking", "confirm"].map((actionState) =>
    turn({ outcome: "answered", actionState }),
  );
  expect(reportableTurns(turns).map(({ actionState }) => actionState)).toEqual(["done", "failed", "unsure"]);
});

const state = (fields: object = {}) => ({
  botIds: new Map([[BOT, "shop" as BotId]]),
  starts: new Map(
    ["crm", "log"].flatMap((target) => [
      [startName(target, "turn.refused"), 50] as const,
      [startName(target, "turn.unmatched"), 50] as const,
    ]),
  ),
  waiting: new Map<string, number>(),
  ...fields,
});
const reporting = (
  targets: readonly string[],
  mostOfTurns = 9,
): Pick<EventReporting, "recipientsOf" | "mostOfTurns"> => ({
  mostOfTurns,
  recipientsOf: (_, event) =>
    targets.map((target): NewDelivery => ({ id: "dl" as DeliveryId, channel: "webhook", target, event })),
});

describe("events of turns", () => {
  test("are of what was refused or matched nothing: not of questions back, answers and failures", () => {
    const turns = OUTCOMES.map((outcome) => turn({ outcome }));
    expect(reportableTurns(turns).map(({ outcome }) => outcome)).toEqual(["unmatched", "refused"]);
    const { deliveries } = planTurnEvents(turns, state(), reporting(["crm"]));
    expect(deliveries.map(({ delivery }) => delivery.event)).toEqual(["turn.unmatched", "turn.refused"]);
  });

  test("go to each webhook that takes them, from when it first did", () => {
    const starts = new Map([
      [startName("crm", "turn.refused"), 50],
      [startName("log", "turn.refused"), 101],
    ]);
    const { deliveries } = planTurnEvents(
      [turn(), turn({ at: 101 })],
      state({ starts }),
      reporting(["crm", "log", "new"]),
    );
    expect(deliveries.map(({ turn: { at }, delivery: { target } }) => [at, target])).toEqual([
      [100, "crm"],
      [101, "crm"],
      [101, "log"],
    ]);
  });

  test("are dropped where as many wait as may, by webhook and event; another webhook has room of its own", () => {
    const turns = [turn(), turn({ outcome: "unmatched" }), turn(), turn()];
    const waiting = new Map([["crm", 7]]);
    const { deliveries, dropped } = planTurnEvents(turns, state({ waiting }), reporting(["crm", "log"], 9));
    const of = (name: string) => deliveries.filter(({ delivery: { target } }) => target === name).length;
    expect([of("crm"), of("log")]).toEqual([2, 4]);
    expect(dropped).toEqual([{ target: "crm", event: "turn.refused", count: 2 }]);
  });

  test("are of no bot that is gone", () => {
    expect(planTurnEvents([turn()], state({ botIds: new Map() }), reporting(["crm"])).deliveries).toEqual([]);
  });
});

test("a cap is looked at only of bots that somebody is told of", () => {
  const bots = new Map([
    [BOT, "shop" as BotId],
    [2 as BotKey, "help" as BotId],
  ]);
  const recipientsOf: EventReporting["recipientsOf"] = (id, event) =>
    id === "help" ? reporting(["crm"]).recipientsOf(id, event) : [];
  const capped = cappedRecipients(bots, { recipientsOf });
  expect([...capped.keys()]).toEqual([2 as BotKey]);
  expect(capped.get(2 as BotKey)).toMatchObject([{ event: "cap.near", target: "crm" }]);
});
