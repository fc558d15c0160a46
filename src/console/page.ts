import type { ComponentChild } from "preact";

/** Input of a page: the parts of its path, and the filters in its address. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/**
 * Module `pages/<name>/page.tsx` of a page, loaded on demand. A page draws its own `PageHead`, reads with `useResource`, keeps its filters
 * in the address (`withQuery`) and declares its keys with `useKeys`. Its own styles belong to the layer `pages`.
 */
export interface PageModule {
  readonly default: (props: PageProps) => ComponentChild;
}

/** Route of a page. */
export interface PageRoute {
  /** For example `/bots/:bot/:tab`; a part that ends in `?` is optional. */
  readonly path: string;
  readonly title: string;
  /** Topic of the documentation for this page, with a heading's id if needed: `console#roles`. */
  readonly help: string;
  readonly load: () => Promise<PageModule>;
}

/** The parts of a path by their names in the route; undefined if the route does not match. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split("/").filter(Boolean);
  const given = path.split("/").filter(Boolean);
  if (given.length > wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at];
    if (!part.startsWith(":")) {
      if (part !== value) return undefined;
    } else if (value !== undefined) params[part.slice(1).replace("?", "")] = decode(value);
    else if (!part.endsWith("?")) return undefined;
  }
  return params;
}

/** A percent sign that starts no escape sequence stays as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
