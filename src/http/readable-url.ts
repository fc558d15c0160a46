/** Where the path begins in the URL of a request, whose host may be missing or malformed. */
export function pathStartOf(url: string): number {
  return url.startsWith("/") ? 0 : url.indexOf("/", "http://".length);
}

/**
 * The request at a host that does not matter (decisions §1: none does), where its own hides the path: Elysia takes the
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
