const PAGE_INTERACTIONS = ["pointermove", "pointerdown", "keydown", "scroll"];
const INTENTIONS = ["pointerenter", "pointerdown", "focus"];

function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: 4000 });
  else setTimeout(run, 1500);
}

function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

/**
 * Calls `prefetch` when the visitor turns to the launcher, or when the browser is idle after the visitor has first done
 * anything on the page: one who leaves at once never pays for the panel.
 */
export function watchInterest(launcher: Element, prefetch: () => void, signal: AbortSignal): void {
  for (const type of INTENTIONS) launcher.addEventListener(type, prefetch, { signal, passive: true });
  if (savesData()) return;
  const firstInteraction = new AbortController();
  signal.addEventListener("abort", () => firstInteraction.abort());
  const begin = () => {
    firstInteraction.abort();
    whenIdle(() => signal.aborted || prefetch());
  };
  for (const type of PAGE_INTERACTIONS) {
    addEventListener(type, begin, { signal: firstInteraction.signal, passive: true, capture: true });
  }
}
