import type { ApiRoute } from "./frame.ts";
import { type SessionParts, sessionRoutes } from "./session.ts";

/** The parts that the routes of the operator API use; each file of routes says which are its own. */
export type ApiParts = SessionParts;

/** Every route of the operator API; to add a resource, add its list here. */
export function apiRoutes(parts: ApiParts): ApiRoute[] {
  return [...sessionRoutes(parts)];
}
