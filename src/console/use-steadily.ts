import { useEffect, useRef } from "preact/hooks";

import type { Resource } from "./api/resource.ts";

/** Reloads data at an interval while the page is visible and `isOn` is true. */
export function useSteadily(
  resource: Pick<Resource<unknown>, "isLoading" | "reload">,
  everyMs: number,
  isOn = true,
): void {
  const latest = useRef(resource);
  latest.current = resource;
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => {
      const { isLoading, reload } = latest.current;
      // Waits for a slow answer: starting again each time would never finish.
      if (document.visibilityState === "visible" && !isLoading) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
}
