import { useEffect, useRef } from "preact/hooks";

import type { Resource } from "./api/resource.ts";

/** Reads something again and again while the page is looked at, and `isOn`. */
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
      // An answer that takes longer than that is waited for; begun anew each time, it would never come.
      if (document.visibilityState === "visible" && !isLoading) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
}
