/** A value that may be there at once: who waits for one that is loses no time. */
export type Awaitable<T> = T | Promise<T>;
