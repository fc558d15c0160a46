/** Two secret whole numbers of 32 bits. */
export type HashKey = readonly [number, number];

/**
 * HalfSipHash-2-4 with 64 bits (J.-P. Aumasson, D. J. Bernstein: SipHash) of a text's UTF-16 code units, little-endian. Without the key
 * a caller cannot tell which texts share a hash, and so cannot choose whom to collide with.
 *
 * The result is two numbers of 32 bits, which are valid until the next text is read, so that nothing is allocated.
 */
export class KeyedHash {
  readonly #key: HashKey;
  low = 0;
  high = 0;
  #v0 = 0;
  #v1 = 0;
  #v2 = 0;
  #v3 = 0;

  constructor(key: HashKey) {
    this.#key = key;
  }

  read(text: string): void {
    const [k0, k1] = this.#key;
    this.#v0 = k0;
    this.#v1 = k1 ^ 0xee;
    this.#v2 = k0 ^ 0x6c_79_67_65;
    this.#v3 = k1 ^ 0x74_65_64_62;
    const whole = text.length & ~1;
    for (let at = 0; at < whole; at += 2) {
      this.#take(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
    }
    const rest = text.length > whole ? text.charCodeAt(whole) : 0;
    this.#take(rest | ((2 * text.length) << 24));
    this.#finish();
  }

  #take(word: number): void {
    this.#v3 ^= word;
    this.#mix(2);
    this.#v0 ^= word;
  }

  #finish(): void {
    this.#v2 ^= 0xee;
    this.#mix(4);
    this.low = (this.#v1 ^ this.#v3) >>> 0;
    this.#v1 ^= 0xdd;
    this.#mix(4);
    this.high = (this.#v1 ^ this.#v3) >>> 0;
  }

  #mix(rounds: number): void {
    let [v0, v1, v2, v3] = [this.#v0, this.#v1, this.#v2, this.#v3];
    for (let round = 0; round < rounds; round++) {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
    this.#v0 = v0;
    this.#v1 = v1;
    this.#v2 = v2;
    this.#v3 = v3;
  }
}
