/** Keeps an element in the document, whatever the page replaces around it. */
export interface Presence {
  /** Puts the element in, or takes it out. */
  set(present: boolean): void;
}

/**
 * Without a container the element stands beside `<body>`, so that a page may replace its body; with one it waits for
 * the container to appear, and for its return after a change of route.
 */
export function keepPresent(element: Element, container: string | undefined, signal: AbortSignal): Presence {
  let wanted = false;
  const observer = new MutationObserver(attach);
  function attach(): void {
    if (!wanted || element.isConnected) return;
    const parent = container === undefined ? document.documentElement : document.querySelector(container);
    parent?.append(element);
    watch();
  }
  function watch(): void {
    observer.disconnect();
    observer.observe(document, { childList: true, subtree: container !== undefined });
    if (container === undefined) observer.observe(document.documentElement, { childList: true });
  }
  function set(present: boolean): void {
    wanted = present;
    if (present) {
      watch();
      attach();
    } else {
      observer.disconnect();
      element.remove();
    }
  }
  signal.addEventListener("abort", () => set(false));
  return { set };
}
