import { Type } from "@sinclair/typebox";

import { ImproveGroup, ImprovePage, SetAside } from "../../domain/operator/improve.ts";
import type { Now } from "../../domain/time.ts";
import type { Improvement } from "../../operate/console/improvement.ts";
import { type ApiRoute, type Caller, route } from "./frame.ts";

export interface ImproveRouteParts {
  improvement: Improvement;
  now: Now;
  /** Counts new messages, so that they are visible at once. */
  catchUp: () => Promise<void>;
}

const Query = Type.Object({
  bot: Type.Optional(Type.String()),
  outcome: Type.Optional(ImproveGroup.properties.kind),
  /** Milliseconds since 1970; default: 30 days ago. */
  since: Type.Optional(Type.Integer({ minimum: 0 })),
});

const DEFAULT_MS = 30 * 24 * 60 * 60 * 1000;
/** 500 messages of 16,000 characters, escaped. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Routes of Improve. */
export function improveRoutes({ improvement, now, catchUp }: ImproveRouteParts): ApiRoute[] {
  const setAside = {
    path: "/improve/set-aside",
    permission: "bots.write",
    body: SetAside,
    maxBodyBytes: MAX_BODY_BYTES,
  } as const;
  return [
    route({
      method: "GET",
      path: "/improve",
      permission: "read",
      summary: "Messages that were not answered, or whose answers did not help, in groups",
      query: Query,
      response: ImprovePage,
      async answer({ query: { since = Math.max(0, now() - DEFAULT_MS), ...query } }) {
        await catchUp();
        return improvement.page({ ...query, since });
      },
    }),
    route({
      ...setAside,
      method: "POST",
      summary: "Set these messages aside",
      answer: ({ body, caller }) => improvement.setAside(body, nameOf(caller)),
    }),
    route({
      ...setAside,
      method: "DELETE",
      summary: "Show these messages again",
      answer: ({ body }) => improvement.takeBack(body),
    }),
  ];
}

function nameOf(caller: Caller): string {
  return caller.kind === "operator" ? caller.name : `${caller.label} (${caller.id})`;
}
