import type { ComponentChild } from "preact";

/** Input of a page: the parts of its path, and the filters in its address. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/**
 * Module `pages/<name>/page.tsx` of a page, loaded on demand. A page draws its own `PageHead`, reads with `useResource`, keeps its filters
 * in the address (`withQuery`) and declares its keys with `useKeys`. Its own styles are `.css` files in its folder.
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
