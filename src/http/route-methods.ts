import type { AnyElysia } from "elysia";

/** Says which methods a path takes, in alphabetical order; none if there is nothing. */
export type MethodsAt = (pathname: string) => string[];

/** Asks Elysia's own router what each path takes. */
export function routeMethods({ router, routes }: Pick<AnyElysia, "router" | "routes">): MethodsAt {
  const methods = [...new Set(routes.map(({ method }) => method))];
  return (pathname) => {
    // A slash at the end makes no other path.
    const fixed = router.static[pathname.replace(/\/$/, "")] ?? {};
    return withHead(
      methods.filter((method) => method in fixed || router.http.find(method, pathname) !== null),
    );
  };
}

/** Each method once, in alphabetical order; HEAD is answered wherever GET is. */
export function withHead(methods: readonly string[]): string[] {
  const all = methods.includes("GET") ? ["HEAD", ...methods] : methods;
  return [...new Set(all)].toSorted();
}
