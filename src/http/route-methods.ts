/** A route as it was registered. */
interface Route {
  method: string;
  /** `:name` stands for one segment, `*` for everything that follows. */
  path: string;
}

/** Says which methods a path takes, in alphabetical order; none where there is nothing. */
export type MethodsAt = (pathname: string) => string[];

/** Reads from the registered routes what each path takes. */
export function routeMethods(routes: readonly Route[]): MethodsAt {
  const patterns = routes.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return (pathname) => {
    // A slash at the end makes no other path.
    const path = pathname.replace(/\/$/, "");
    return allMethods(patterns.filter(({ pattern }) => pattern.test(path)));
  };
}

/** Every method that some of these routes takes, in alphabetical order. HEAD is answered wherever GET is. */
export function allMethods(routes: readonly Pick<Route, "method">[]): string[] {
  const methods = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...new Set(methods)].toSorted();
}

function patternOf(path: string): RegExp {
  const segments = path.split("/").map((segment) => {
    if (segment === "*") return ".*";
    return segment.startsWith(":") ? "[^/]+" : RegExp.escape(segment);
  });
  return new RegExp(`^${segments.join("/")}$`);
}

/** For HEAD, the listener drops the body and keeps its length. */
export function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}
