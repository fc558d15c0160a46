import { Type } from "@sinclair/typebox";

import { AuditRow } from "../../domain/operator/server.ts";
import type { RecordedChange } from "../../store/interface/changes.ts";
import type { Store } from "../../store/interface/store.ts";
import { type ApiRoute, pageOf, route } from "./frame.ts";
import { pageFrom, placeOf } from "./read-call.ts";

export interface AuditRoutesParts {
  store: Pick<Store, "changes">;
}

const PAGE = 100;
const Place = Type.Integer();

/** Routes of the audit. */
export function auditRoutes({ store }: AuditRoutesParts): ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/audit",
      permission: "read",
      summary: "Changes, with time and author, latest first",
      query: Type.Object({
        bot: Type.Optional(Type.String()),
        since: Type.Optional(Type.Integer()),
        before: Type.Optional(Type.String({ description: "`next` of the page before" })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      }),
      response: pageOf(AuditRow),
      async answer({ query: { bot, since, before, limit = PAGE } }) {
        const found = await store.changes.list({
          ...(bot !== undefined && { bot }),
          ...(since !== undefined && { since }),
          ...(before !== undefined && { before: placeOf(Place, before) }),
          limit: limit + 1,
        });
        return pageFrom(found, limit, { rowOf, place: ({ key }) => key });
      },
    }),
  ];
}

function rowOf({ at, by, kind, subject, bots, fields, omittedFields }: RecordedChange): AuditRow {
  return { at, by, kind, subject, bots, fields, ...(omittedFields > 0 && { omittedFields }) };
}
