import { Type } from "@sinclair/typebox";

import { Overview, Period } from "../../domain/operator/overview.ts";
import { type OverviewParts, readOverview } from "../../operate/console/overview.ts";
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
