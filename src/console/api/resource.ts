import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { offline } from "./offline.ts";
import { Problem } from "./problem.ts";

/** What is asked faster than this shows nothing in between, so that pages do not flicker. */
const SHOW_LOADING_AFTER_MS = 150;

/** Something that is being read from the server. What was there before stays until what comes next is there. */
export interface Resource<Data> {
  data: Data | undefined;
  problem: Problem | undefined;
  /** True once it takes long enough to be shown. */
  isLoading: boolean;
  /** `data` is of another filter than the one asked for. */
  isOld: boolean;
  reload: () => void;
  /**
   * Puts something in its place, as when a change has been answered with what is there now. Once another `key` is read, what came
   * late for this one is left.
   */
  replace: (data: Data) => void;
}

interface Held<Data> {
  key: string | undefined;
  data: Data | undefined;
  problem: Problem | undefined;
}

/** Reads again whenever `key` changes, and when the server answers again. @param load takes a signal that ends it. */
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

/** What went wrong, for being shown; a defect of the console is one, too. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({ status: 0, code: "CONSOLE", detail: `Error in the console: ${String(error)}` });
}
