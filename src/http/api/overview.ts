import { Type } from "@sinclair/typebox";

import { Overview, Period } from "../../domain/operator/overview.ts";
import { monthOf } from "../../domain/time.ts";
import { type OverviewParts, readOverview } from "../../operate/console/overview.ts";
import type { BotOutline } from "../../store/interface/bots.ts";
import type { Bots, Store } from "../../store/interface/store.ts";
import { type ApiRoute, route } from "./frame.ts";

export interface OverviewRouteParts {
  overview: OverviewParts;
  /** Counts new messages, so that they are visible at once. */
  catchUp: () => Promise<void>;
}

const Query = Type.Object({
  bot: Type.Optional(Type.String()),
  period: Type.Optional(Period),
  /** `1`: include the period before. */
  compare: Type.Optional(Type.Literal("1")),
});

/** Route of the overview. */
export function overviewRoutes({ overview, catchUp }: OverviewRouteParts): ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/overview",
      permission: "read",
      summary: "Messages of a period by outcome, usage, latency",
      query: Query,
      response: Overview,
      async answer({ query: { bot, period = "30d", compare } }) {
        await catchUp();
        return readOverview(overview, {
          ...(bot !== undefined && { bot }),
          period,
          compare: compare === "1",
        });
      },
    }),
  ];
}

export interface UsageRoutesParts {
  store: Pick<Store, "readUsage"> & { bots: Pick<Bots, "outline"> };
  now: () => number;
}

const UsagePage = Type.Object({
  month: Type.String({ description: "UTC, as `2026-11`" }),
  items: Overview.properties.usage,
});

/** Route of the bots' usage in the current month. */
export function usageRoutes({ store, now }: UsageRoutesParts): ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/usage",
      permission: "read",
      summary: "Messages of this UTC month against caps, and tokens of models against budgets, of each bot",
      response: UsagePage,
      async answer() {
        const at = now();
        const bots = await store.bots.outline();
        const used = await store.readUsage(
          bots.map(({ key }) => key),
          at,
        );
        return { month: monthOf(at), items: bots.map((bot) => rowOf(bot, used.get(bot.key))) };
      },
    }),
  ];
}

function rowOf(
  { id, limits: { monthlyMessageCap, monthlyTokenBudget } }: BotOutline,
  { messages, modelTokens } = { messages: 0, modelTokens: 0 },
) {
  return {
    bot: id,
    messages,
    ...(monthlyMessageCap !== undefined && { cap: monthlyMessageCap }),
    modelTokens,
    ...(monthlyTokenBudget !== undefined && { tokenBudget: monthlyTokenBudget }),
  };
}
