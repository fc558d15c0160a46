import { useRef, useState } from "preact/hooks";

import { asProblem } from "./api/resource.ts";
import { sayFault } from "./toasts.ts";

/**
 * A change or request that runs once at a time: a second press while it runs does nothing.
 *
 * @param fault begins the message of a failure, as `Not sent`; absent: `act` handles its own failures.
 */
export function useOnce<Parameters extends unknown[]>(
  act: (...parameters: Parameters) => Promise<void>,
  fault?: string,
): { isBusy: boolean; run: (...parameters: Parameters) => void } {
  const [isBusy, setIsBusy] = useState(false);
  // A second press may come before the button is redrawn as disabled.
  const isRunning = useRef(false);
  const once = async (...parameters: Parameters) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    try {
      await act(...parameters);
    } catch (error) {
      if (fault === undefined) throw error;
      sayFault(`${fault}: ${asProblem(error).message}`);
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  };
  return { isBusy, run: (...parameters) => void once(...parameters) };
}
