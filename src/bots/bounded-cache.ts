/** A value that is in memory, and the bytes that it takes there. */
export interface Sized<Value> {
  value: Value;
  bytes: number;
}

interface BoundedCacheOptions<Key, Value> {
  mostBytes: number;
  /** Makes a value that is not in memory; undefined where there is none, which is not remembered. */
  open: (key: Key) => Sized<Value> | undefined;
}

/** Values that are opened when they are asked for, and forgotten again once others need the room. */
export class BoundedCache<Key, Value> {
  readonly #mostBytes: number;
  readonly #open: (key: Key) => Sized<Value> | undefined;
  /** The one that was asked for last stands at the end. */
  readonly #entries = new Map<Key, Sized<Value>>();
  #latestKey: Key | undefined;
  #latest: Sized<Value> | undefined;
  #bytes = 0;

  constructor({ mostBytes, open }: BoundedCacheOptions<Key, Value>) {
    this.#mostBytes = mostBytes;
    this.#open = open;
  }

  /** Bytes of all values that are in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: Key): Value | undefined {
    // A message asks for the same value several times.
    if (this.#latest !== undefined && key === this.#latestKey) return this.#latest.value;
    const entry = this.#takeOut(key) ?? this.#open(key);
    if (entry) this.#putLast(key, entry);
    return entry?.value;
  }

  /** Forgets a value that is asked for no more. */
  delete(key: Key): void {
    this.#takeOut(key);
    if (key === this.#latestKey) this.#latest = undefined;
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
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.#mostBytes || this.#entries.size === 1) return;
      this.#takeOut(key);
    }
  }
}
