import type { ComponentChild } from "preact";

/** What a page is given: the parts of its path, and the filters that stand in its address. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/**
 * A page is a module `pages/<name>/page.tsx` with this export; it is loaded when somebody goes there. It draws its own `PageHead`, reads
 * with `useResource`, keeps its filters in the address (`withQuery`), and says its keys with `useKeys`. Styles that only it needs stand
 * beside it, in any `.css` file of its folder.
 */
export interface PageModule {
  readonly default: (props: PageProps) => ComponentChild;
}

/** Where a page stands. */
export interface PageRoute {
  /** As `/bots/:bot/:tab`; a part that ends in `?` may be missing. */
  readonly path: string;
  readonly title: string;
  /** The topic of the documentation that is about it, and the heading's id where it is one of many: `console#roles`. */
  readonly help: string;
  readonly load: () => Promise<PageModule>;
}
