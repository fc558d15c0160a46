import { pathStartOf } from "./readable-url.ts";
import type { RequestContext } from "./request-context.ts";

/** What answers the requests of a method to one path, with the headers of `answerHeaders`. May throw, and may be rejected. */
export interface Endpoint {
  method: "GET" | "POST";
  /** No pattern: exactly this. */
  path: string;
  answer(context: RequestContext): Response | Promise<Response>;
}

/** Finds the endpoint that a request means, if its path is spelt as the endpoint's. */
export type FindEndpoint = (request: Request) => Endpoint | undefined;

/** Of each path no more than one method may be given. */
export function findEndpointIn(endpoints: readonly Endpoint[]): FindEndpoint {
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  return ({ method, url }) => {
    const endpoint = byPath.get(pathIn(url));
    return endpoint?.method === method ? endpoint : undefined;
  };
}

/** What stands between host and query. A URL may have no host, or a malformed one (see `withReadableUrl`). */
function pathIn(url: string): string {
  const start = pathStartOf(url);
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}
