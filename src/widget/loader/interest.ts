const INTENTIONS = ["pointerenter", "focus"];
const PAGE_INTERACTIONS = ["pointermove", "pointerdown", "keydown", "scroll"];

/** Runs `task` when the browser has nothing better to do; Safari, which cannot tell, runs it soon. */
export function whenIdle(task: () => void): void {
  (window.requestIdleCallback ?? setTimeout)(task);
}

/**
 * Calls `prefetch` when the visitor turns to the launcher, or when the browser is idle after the visitor has first done
 * anything on the page: one who leaves at once never pays for the panel.
 */
export function watchInterest(launcher: Element, prefetch: () => void, signal: AbortSignal): void {
  const later = () => whenIdle(() => signal.aborted || prefetch());
  for (const type of INTENTIONS) launcher.addEventListener(type, prefetch, { signal });
  for (const type of PAGE_INTERACTIONS) addEventListener(type, later, { signal, passive: true, once: true });
}
