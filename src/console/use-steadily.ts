import { useEffect } from "preact/hooks";

/** Does something again and again while the page is looked at. */
export function useSteadily(run: () => void, everyMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") run();
    }, everyMs);
    return () => clearInterval(timer);
  }, [run, everyMs]);
}
