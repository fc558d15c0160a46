import { signal } from "@preact/signals";

import { matchPath, type PageRoute } from "./page.ts";

/** The current address: path and query. */
interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

/** The current address. Changes with links, with {@link go}, and with the browser's buttons. */
export const place = signal<Place>(here());

/** Opens an address of the console. @param replace adds no history entry, for example while typing. */
export function go(address: string, { replace = false } = {}): void {
  if (address === location.pathname + location.search) return;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.value = here();
}

/** The address with other filters. Undefined and empty ones are removed; the others stay. */
export function withQuery(
  changes: Readonly<Record<string, string | number | undefined>>,
  { path, query }: Place = place.value,
): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name);
    else next.set(name, String(value));
  }
  return next.size > 0 ? `${path}?${next}` : path;
}

/** The page for a path, with its parameters; undefined if there is none. */
export function findPage(
  pages: readonly PageRoute[],
  path: string,
): { page: PageRoute; params: Record<string, string> } | undefined {
  for (const page of pages) {
    const params = matchPath(page.path, path);
    if (params !== undefined) return { page, params };
  }
  return undefined;
}

/** Handles clicks on internal links, and the browser's Back and Forward. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    place.value = here();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    if (link === null || !staysHere(link, event)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}

/** The browser handles clicks with modifier keys, downloads, other windows, other origins and the API. */
function staysHere(link: HTMLAnchorElement, event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0) return false;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  if (link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return false;
  return !link.pathname.startsWith("/api/") && !link.getAttribute("href")!.startsWith("#");
}
