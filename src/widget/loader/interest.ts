const INTENTIONS = ["pointerenter", "focus"];
const PAGE_INTERACTIONS = ["pointermove", "pointerdown", "keydown", "scroll"];

/**
 * Calls `prefetch` when the visitor turns to the launcher, or when the browser is idle after the visitor has first done
 * anything on the page: one who leaves at once never pays for the panel.
 */
export function watchInterest(launcher: Element, prefetch: () => void, signal: AbortSignal): void {
  // Safari has no idle callback.
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  const later = () => void whenIdle(() => signal.aborted || prefetch());
  for (const type of INTENTIONS) launcher.addEventListener(type, prefetch, { signal });
  for (const type of PAGE_INTERACTIONS) addEventListener(type, later, { signal, passive: true, once: true });
}
