import type { CommitQueue } from "./commit-queue.ts";
import { promised, type Promised } from "./promised.ts";

/**
 * As `promised`, for a server: the methods that are named write, and do so in the groups of the commit queue. There they wait for another
 * process's write without holding up the messages of visitors, and what is on disk when their promise resolves is as sure as a message.
 */
export function queued<Room extends object>(
  room: Room,
  commits: Pick<CommitQueue, "run">,
  writes: readonly (keyof Room)[],
): Promised<Room> {
  const names = new Set<string | symbol | number>(writes);
  return new Proxy(promised(room), {
    get(target, name) {
      const method: unknown = Reflect.get(room, name);
      if (typeof method !== "function" || !names.has(name)) return Reflect.get(target, name);
      return (...parameters: unknown[]) =>
        commits.run(() => Reflect.apply(method, room, parameters) as unknown);
    },
  });
}
