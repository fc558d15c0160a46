/** The same methods, each of which answers with a promise. */
export type Promised<Room> = {
  readonly [Name in keyof Room]: Room[Name] extends (...parameters: infer Parameters) => infer Result
    ? (...parameters: Parameters) => Promise<Result>
    : never;
};

/**
 * The methods of a part of the store that answers at once, as callers know them, who do not know the engine. What a method throws, its
 * promise rejects with.
 */
export function promised<Room extends object>(room: Room): Promised<Room> {
  return new Proxy(room, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (...parameters: unknown[]) => Reflect.apply(method, target, parameters) as unknown;
    },
  }) as Promised<Room>;
}
