import { type ConversationRouteParts, conversationRoutes } from "./conversations.ts";
import type { ApiRoute } from "./frame.ts";
import { type ImproveRouteParts, improveRoutes } from "./improve.ts";
import { type OverviewRouteParts, overviewRoutes } from "./overview.ts";
import { type SessionParts, sessionRoutes } from "./session.ts";

/** The parts that the routes of the operator API use; each file of routes says which are its own. */
export type ApiParts = SessionParts & OverviewRouteParts & ConversationRouteParts & ImproveRouteParts;

/** Every route of the operator API; to add a resource, add its list here. */
export function apiRoutes(parts: ApiParts): ApiRoute[] {
  return [
    ...sessionRoutes(parts),
    ...overviewRoutes(parts),
    ...conversationRoutes(parts),
    ...improveRoutes(parts),
  ];
}
