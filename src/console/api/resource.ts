import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { offline } from "./connection.ts";
import { Problem } from "./problem.ts";

/** A request that is answered within this time shows no loading state, so that pages do not flicker. */
const SHOW_LOADING_AFTER_MS = 150;

/** Data that is read from the server. The earlier data stays until the new data has arrived. */
export interface Resource<Data> {
  data: Data | undefined;
  problem: Problem | undefined;
  /** True once loading takes long enough to be shown. */
  isLoading: boolean;
  /** `data` belongs to an earlier `key`. */
  isOld: boolean;
  reload: () => void;
  /** Replaces the data, for example by the answer to a change. An answer that arrives after `key` has changed is ignored. */
  replace: (data: Data) => void;
}

interface Held<Data> {
  key: string | undefined;
  data: Data | undefined;
  problem: Problem | undefined;
}

/** Reads again when `key` changes and when the server responds again. @param load receives a signal that aborts it. */
export function useResource<Data>(key: string, load: (signal: AbortSignal) => Promise<Data>): Resource<Data> {
  const [held, setHeld] = useState<Held<Data>>({ key: undefined, data: undefined, problem: undefined });
  const [isLoading, setIsLoading] = useState(false);
  const [round, setRound] = useState(0);
  const loading = useRef(load);
  loading.current = load;
  const latestKey = useRef(key);
  latestKey.current = key;
  const wasOffline = useRef(false);

  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => setIsLoading(true), SHOW_LOADING_AFTER_MS);
    const end = (next: Partial<Held<Data>>) => {
      if (controller.signal.aborted) return;
      clearTimeout(timer);
      setIsLoading(false);
      setHeld((before) => ({ ...before, problem: undefined, ...next }));
    };
    loading.current(controller.signal).then(
      (data) => end({ key, data }),
      (error: unknown) => end({ problem: asProblem(error) }),
    );
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [key, round]);

  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(
    () =>
      offline.subscribe((is) => {
        if (wasOffline.current && is === undefined) reload();
        wasOffline.current = is !== undefined;
      }),
    [reload],
  );
  return {
    data: held.data,
    problem: held.problem,
    isLoading,
    isOld: held.key !== key,
    reload,
    replace: (data) => {
      if (latestKey.current === key) setHeld({ key, data, problem: undefined });
    },
  };
}

/** The problem to show for an error. A defect of the console is shown as a problem, too. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({ status: 0, code: "CONSOLE", detail: `Error in the console: ${String(error)}` });
}
