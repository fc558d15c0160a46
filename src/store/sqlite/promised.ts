import { AsyncLocalStorage } from "node:async_hooks";

/** The same methods, each of which answers with a promise. */
export type Promised<Room> = {
  readonly [Name in keyof Room]: Room[Name] extends (...parameters: infer Parameters) => infer Result
    ? (...parameters: Parameters) => Promise<Result>
    : never;
};

/** Where a server writes: it waits for the lock without holding up its loop, which a statement by itself does not. */
export interface WriteQueue {
  run<Result>(work: () => Result): Promise<Result>;
}

interface PromisedParts {
  /** Absent in a command, which waits for the lock in each statement. */
  queue: WriteQueue | undefined;
  /** Runs what does not go through the queue, and takes note of its failures. */
  noticing: <Result>(call: () => Result) => Result;
}

/**
 * Names of methods that run at once: they only read, or cannot be part of a transaction (`wipeFiles`). Every other method goes through
 * the queue, which is right for each; so a new one that writes cannot be forgotten.
 */
const RUNS_AT_ONCE = /^(find|list|read|count|is|outline|choose|wipe)([A-Z]|$)/;

/**
 * The methods of a part of the store that answers at once, as callers know them, who do not know the engine. What a method throws, its
 * promise rejects with; what is queued runs in the name of whoever calls.
 */
export function promised<Room extends object>(
  room: Room,
  { queue, noticing }: PromisedParts,
): Promised<Room> {
  return new Proxy(room, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      const call = (parameters: unknown[]) => Reflect.apply(method, target, parameters) as unknown;
      if (queue === undefined || RUNS_AT_ONCE.test(String(name)))
        return async (...parameters: unknown[]) => noticing(() => call(parameters));
      return (...parameters: unknown[]) => queue.run(AsyncLocalStorage.bind(() => call(parameters)));
    },
  }) as Promised<Room>;
}
