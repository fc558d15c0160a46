import type { Awaitable } from "../domain/waiting.ts";

/** A value with the memory it takes, in bytes. */
export interface Sized<Value> {
  value: Value;
  bytes: number;
}

interface BoundedCacheOptions<Key, Value, Context> {
  mostBytes: number;
  /** Opens a missing value, with the context of its first caller; undefined if there is none, which is not cached. */
  open: (key: Key, context: Context) => Promise<Sized<Value> | undefined>;
  /** Called with the key of a value dropped for others. */
  onDropped?: (key: Key) => void;
}

/** Values opened on demand and dropped, least recently used first, when others need the memory. */
export class BoundedCache<Key, Value, Context = void> {
  readonly #options: BoundedCacheOptions<Key, Value, Context>;
  /** Least recently used first. */
  readonly #entries = new Map<Key, Sized<Value>>();
  /** A value deleted while it is opened is not cached. */
  readonly #openings = new Map<Key, Promise<Sized<Value> | undefined>>();
  #latestKey: Key | undefined;
  #latest: Sized<Value> | undefined;
  #bytes = 0;

  constructor(options: BoundedCacheOptions<Key, Value, Context>) {
    this.#options = options;
  }

  /** Memory of all cached values, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Keys of all cached values. */
  keys(): Iterable<Key> {
    return this.#entries.keys();
  }

  /** A cached value is returned at once. Concurrent callers share one opening; after a failure the next call opens again. */
  find(key: Key, context: Context): Awaitable<Value | undefined> {
    const entry = this.#use(key);
    return entry ? entry.value : this.#openShared(key, context);
  }

  /** Marks a value as used. */
  touch(key: Key): void {
    this.#use(key);
  }

  /** Removes a value. */
  delete(key: Key): void {
    this.#openings.delete(key);
    this.#takeOut(key);
    if (key === this.#latestKey) this.#latest = undefined;
  }

  #use(key: Key): Sized<Value> | undefined {
    // Consecutive messages often use the same value.
    if (this.#latest !== undefined && key === this.#latestKey) return this.#latest;
    const entry = this.#takeOut(key);
    if (entry) this.#putLast(key, entry);
    return entry;
  }

  async #openShared(key: Key, context: Context): Promise<Value | undefined> {
    const opening = this.#openings.get(key) ?? this.#options.open(key, context);
    this.#openings.set(key, opening);
    const isAwaited = () => this.#openings.get(key) === opening;
    try {
      const entry = await opening;
      if (entry && isAwaited()) this.#putLast(key, entry);
      return entry?.value;
    } finally {
      if (isAwaited()) this.#openings.delete(key);
    }
  }

  #takeOut(key: Key): Sized<Value> | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
    return entry;
  }

  #putLast(key: Key, entry: Sized<Value>): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
    this.#latestKey = key;
    this.#latest = entry;
    this.#makeRoom();
  }

  /** Keeps the last one, whatever its size, because it is about to be used. */
  #makeRoom(): void {
    const { mostBytes, onDropped } = this.#options;
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= mostBytes || this.#entries.size === 1) return;
      this.#takeOut(key);
      onDropped?.(key);
    }
  }
}
