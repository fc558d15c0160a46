const INTENTIONS = ["pointerenter", "focus"];
const PAGE_INTERACTIONS = ["pointermove", "pointerdown", "keydown", "scroll"];

/** Runs `task` when the browser is idle; in Safari, which has no such event, after a short time. */
export function whenIdle(task: () => void): void {
  (window.requestIdleCallback ?? setTimeout)(task);
}

/**
 * Calls `prefetch` when the visitor approaches the launcher, or when the browser is idle after the first interaction with the page.
 * Visitors who leave at once never load the panel.
 */
export function watchInterest(launcher: Element, prefetch: () => void, signal: AbortSignal): void {
  const later = () => whenIdle(() => signal.aborted || prefetch());
  for (const type of INTENTIONS) launcher.addEventListener(type, prefetch, { signal });
  for (const type of PAGE_INTERACTIONS) addEventListener(type, later, { signal, passive: true, once: true });
}
