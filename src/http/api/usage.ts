import { Type } from "@sinclair/typebox";

import { Overview } from "../../domain/operator/overview.ts";
import { monthOf } from "../../domain/time.ts";
import type { Store } from "../../store/interface/store.ts";
import { type ApiRoute, route } from "./frame.ts";

export interface UsageRoutesParts {
  store: Pick<Store, "bots" | "readUsage">;
  now: () => number;
}

const UsagePage = Type.Object({
  month: Type.String({ description: "UTC, as `2026-11`" }),
  items: Overview.properties.usage,
});

/** What bots have used of the current month. */
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
        const bots = await store.bots.list();
        const used = await store.readUsage(
          bots.map(({ key }) => key),
          at,
        );
        return { month: monthOf(at), items: bots.map(({ key, document }) => rowOf(document, used.get(key))) };
      },
    }),
  ];
}

type StoredDocument = Awaited<ReturnType<Store["bots"]["list"]>>[number]["document"];

function rowOf(
  { id, monthlyMessageCap, monthlyTokenBudget }: StoredDocument,
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
