/** A value that may be available at once, so that waiting for it costs nothing. */
export type Awaitable<T> = T | Promise<T>;
