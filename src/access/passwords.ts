import { ServiceError } from "../domain/errors.ts";

/** OWASP's minimum for Argon2id: 19 MiB and two passes (Password Storage Cheat Sheet). */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
/** Each takes a thread and 19 MiB for about 30 ms. More at once would take the threads that visitors' messages need. */
const MAX_AT_ONCE = 2;
/** Maximum queue. The last in it waits for about 0.6 s, or for a second on a busy machine. */
const MAX_WAITING = 40;

/** The order of letters, of digits, and of the keys of a keyboard. */
const RUNS = ["abcdefghijklmnopqrstuvwxyz", "1234567890", "qwertyuiopasdfghjklzxcvbnm"];

/**
 * Whether a password is one character repeated, or a run such as 123456789012, forwards or backwards: whoever guesses tries these first.
 */
export function isTooSimple(password: string): boolean {
  const characters = Array.from(password.toLowerCase());
  const [forwards, backwards] = [characters.join(""), characters.toReversed().join("")];
  return (
    new Set(characters).size === 1 ||
    RUNS.map((run) => run.repeat(Math.ceil(forwards.length / run.length) + 1)).some(
      (long) => long.includes(forwards) || long.includes(backwards),
    )
  );
}

/** Hashes and checks passwords on other threads than the event loop's, a few at a time. */
export class Passwords {
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #decoy: Promise<string> | undefined;

  /** Hashes with Argon2id and a fresh salt, into a PHC string. @throws ServiceError OVERLOADED */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => Bun.password.hash(normalised(password), ARGON2ID));
  }

  /**
   * Whether this is the password that was hashed. The time taken could show which names exist, so a missing hash takes as long as a
   * wrong password, but for the first one, which also makes the decoy.
   *
   * @throws ServiceError OVERLOADED
   */
  verify(password: string, hash: string | undefined): Promise<boolean> {
    return this.#inTurn(async () => {
      const against = hash ?? (await (this.#decoy ??= Bun.password.hash(crypto.randomUUID(), ARGON2ID)));
      return (await Bun.password.verify(normalised(password), against)) && hash !== undefined;
    });
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= MAX_AT_ONCE) await this.#wait();
    else this.#running += 1;
    try {
      return await work();
    } finally {
      // The turn passes directly to the next waiting caller, so that no other can take it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) {
      throw new ServiceError("OVERLOADED", "Too many sign-ins at once; try again shortly.", {
        headers: { "Retry-After": "2" },
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Keyboards encode the same letters differently, such as é in one code point or two; NFKC makes them equal (NIST SP 800-63B). */
function normalised(password: string): string {
  return password.normalize("NFKC");
}
