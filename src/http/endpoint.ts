import type { RequestContext } from "./request-context.ts";

/** Answers one method on one path, with the headers of `answerHeaders`. May throw or reject. */
export interface Endpoint {
  method: "GET" | "POST";
  /** An exact path, not a pattern. */
  path: string;
  answer(context: RequestContext): Response | Promise<Response>;
}

/** Finds endpoints by the path of a request; a slash at its end makes no other path. There is one for each path. */
export function endpointsByPath(
  endpoints: readonly Endpoint[],
): (request: Pick<Request, "url">) => Endpoint | undefined {
  const byPath = new Map(
    endpoints.flatMap((endpoint) => [
      [endpoint.path, endpoint],
      [`${endpoint.path}/`, endpoint],
    ]),
  );
  return ({ url }) => byPath.get(pathIn(url));
}

/** The path of a URL, whose host may be missing or malformed (see `withReadableUrl`). */
function pathIn(url: string): string {
  const start = pathStartOf(url);
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

/** Where the path begins in the URL of a request, whose host may be missing or malformed. */
function pathStartOf(url: string): number {
  return url.startsWith("/") ? 0 : url.indexOf("/", "http://".length);
}

/**
 * The request with a made-up host, because no route depends on the host, if the host of its URL hides the path: Elysia takes the
 * first 11 characters for scheme and host, and a Host that is missing or malformed makes no URL.
 */
export function withReadableUrl(request: Request): Request {
  const { url } = request;
  const pathStart = pathStartOf(url);
  if (pathStart >= "http://host".length && URL.canParse(url)) return request;
  // The target of a CONNECT names a host, and has no path.
  const path = pathStart === -1 ? "/" : url.slice(pathStart);
  return new Request(`http://localhost${path}`, request);
}
