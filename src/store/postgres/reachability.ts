import type { StoreAddress } from "../../config/store-address.ts";
import { Connection } from "./connection.ts";
import { isAway, UnsentError, unavailable } from "./failure.ts";

/** Deadline of the probe's statement. Chosen by hand. */
const ANSWER_MS = 2000;
const ASK_AGAIN_MS = 1000;

/**
 * Whether PostgreSQL is reachable, for all pools of a store. Callers would otherwise each wait for a full retry period: after one of them has,
 * the server is probed, and while it does not answer, every call is refused at once and the probe is repeated every second.
 */
export class Reachability implements AsyncDisposable {
  readonly #address: StoreAddress;
  #failure: unknown;
  #asking: Promise<void> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(address: StoreAddress) {
    this.#address = address;
  }

  get isDown(): boolean {
    return this.#failure !== undefined;
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE while it is known to be unreachable, with an UnsentError as its cause. */
  assertNotDown(): void {
    if (this.isDown) throw unavailable(new UnsentError(this.#failure));
  }

  /** A caller got no answer for a while; the cause may be its statement only. */
  suspect(): void {
    if (this.#isClosed || this.#again !== undefined) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#again);
    await this.#asking;
  }

  async #ask(): Promise<void> {
    await using connection = new Connection(this.#address, ANSWER_MS);
    try {
      await connection.query("SELECT 1");
      this.#failure = undefined;
    } catch (error) {
      this.#failure = isAway(error) ? error : undefined;
    }
    if (!this.isDown || this.#isClosed) return;
    this.#again = setTimeout(() => {
      this.#again = undefined;
      this.suspect();
    }, ASK_AGAIN_MS).unref();
  }
}
