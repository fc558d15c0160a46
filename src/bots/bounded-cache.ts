import type { Awaitable } from "../domain/wait-at-most.ts";

/** A value that is in memory, and the bytes that it takes there. */
export interface Sized<Value> {
  value: Value;
  bytes: number;
}

interface BoundedCacheOptions<Key, Value, Context> {
  mostBytes: number;
  /** Makes a value that is not in memory, in the context of who asked first; undefined where there is none, which is not remembered. */
  open: (key: Key, context: Context) => Promise<Sized<Value> | undefined>;
  /** Told of a value that went because others needed the room. */
  onDropped?: (key: Key) => void;
}

/** Values that are opened when they are asked for, and forgotten again once others need the room. */
export class BoundedCache<Key, Value, Context = void> {
  readonly #options: BoundedCacheOptions<Key, Value, Context>;
  /** The one that was asked for last stands at the end. */
  readonly #entries = new Map<Key, Sized<Value>>();
  /** One that is deleted meanwhile is not kept. */
  readonly #openings = new Map<Key, Promise<Sized<Value> | undefined>>();
  #latestKey: Key | undefined;
  #latest: Sized<Value> | undefined;
  #bytes = 0;

  constructor(options: BoundedCacheOptions<Key, Value, Context>) {
    this.#options = options;
  }

  /** Bytes of all values that are in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Keys of all values that are in memory. */
  keys(): Iterable<Key> {
    return this.#entries.keys();
  }

  /** A value that is in memory is there at once. All who ask for one that is opened share it; one that fails is opened anew by the next. */
  find(key: Key, context: Context): Awaitable<Value | undefined> {
    const entry = this.#use(key);
    return entry ? entry.value : this.#openShared(key, context);
  }

  /** What is in memory under this key counts as asked for. */
  touch(key: Key): void {
    this.#use(key);
  }

  /** Forgets a value that is asked for no more. */
  delete(key: Key): void {
    this.#openings.delete(key);
    this.#takeOut(key);
    if (key === this.#latestKey) this.#latest = undefined;
  }

  #use(key: Key): Sized<Value> | undefined {
    // One message after the other asks for the same value.
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

  /** The last one stays, however large it is: it is about to be used. */
  #makeRoom(): void {
    const { mostBytes, onDropped } = this.#options;
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= mostBytes || this.#entries.size === 1) return;
      this.#takeOut(key);
      onDropped?.(key);
    }
  }
}
