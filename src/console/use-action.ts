import { useRef, useState } from "preact/hooks";

import type { Problem } from "./api/problem.ts";
import { asProblem } from "./api/resource.ts";
import { attempt } from "./toasts.ts";

/** A change that the operator makes. */
interface Action<Parameters extends unknown[]> {
  readonly isBusy: boolean;
  /** Why the latest run failed, for a form to show; always undefined if a message shows it instead. */
  readonly problem: Problem | undefined;
  readonly run: (...parameters: Parameters) => void;
}

/**
 * A change or request that runs once at a time: a second press while it runs does nothing.
 *
 * @param fault begins the message of a failure, as `Not sent`; absent: `problem` has the failure.
 */
export function useAction<Parameters extends unknown[]>(
  act: (...parameters: Parameters) => unknown,
  fault?: string,
): Action<Parameters> {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  // A second press may come before the button is redrawn as disabled.
  const isRunning = useRef(false);
  const once = async (...parameters: Parameters) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    setProblem(undefined);
    try {
      if (fault === undefined) await act(...parameters);
      else await attempt(fault, () => act(...parameters));
    } catch (error) {
      setProblem(asProblem(error));
    }
    isRunning.current = false;
    setIsBusy(false);
  };
  return { isBusy, problem, run: (...parameters) => void once(...parameters) };
}
