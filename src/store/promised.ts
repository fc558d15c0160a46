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

/**
 * The methods of a part of the store that answers at once, as callers know them, who do not know the engine. What a method throws, its
 * promise rejects with.
 *
 * @param writes names the methods that go through `queue`, where there is one, in the name of whoever calls.
 */
export function promised<Room extends object>(
  room: Room,
  queue?: WriteQueue,
  writes: readonly (keyof Room)[] = [],
): Promised<Room> {
  const queued = new Set<PropertyKey>(queue && writes);
  return new Proxy(room, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      const call = (parameters: unknown[]) => Reflect.apply(method, target, parameters) as unknown;
      if (queue === undefined || !queued.has(name))
        return async (...parameters: unknown[]) => call(parameters);
      return (...parameters: unknown[]) => queue.run(AsyncLocalStorage.bind(() => call(parameters)));
    },
  }) as Promised<Room>;
}
