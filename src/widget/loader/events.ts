import type { ParleyEvents } from "../public.d.ts";

export interface Events {
  readonly on: <E extends keyof ParleyEvents>(
    event: E,
    listener: (payload: ParleyEvents[E]) => void,
  ) => () => void;
  readonly emit: <E extends keyof ParleyEvents>(
    event: E,
    ...payload: ParleyEvents[E] extends undefined ? [] : [ParleyEvents[E]]
  ) => void;
}

/** Event listeners of the page. An exception in one is reported and does not affect others. */
export function createEvents(): Events {
  const listeners = new Set<readonly [string, (payload: never) => void]>();
  return {
    on(event, listener) {
      const entry = [event, listener] as const;
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    emit(event, payload?: unknown) {
      for (const [name, listener] of listeners) {
        try {
          if (name === event) listener(payload as never);
        } catch (error) {
          reportError(error);
        }
      }
    },
  };
}
