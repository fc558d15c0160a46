import type { Now } from "../domain/time.ts";
import { DeliveryError } from "./delivery-error.ts";

const HOUR_MS = 60 * 60 * 1000;
/** E-mails that an address gets in an hour: more would not be read, and a mail server would take them for spam. */
export const MOST_AN_HOUR = 20;

/** Bounds the e-mails to an address. What is too much waits. */
export class MailCap {
  readonly #now: Now;
  readonly #sentTo = new Map<string, number[]>();

  constructor(now: Now) {
    this.#now = now;
  }

  /** @throws DeliveryError where the address has had enough for now, with the instant at which there is room again */
  take(address: string): void {
    const since = this.#now() - HOUR_MS;
    const recent = (this.#sentTo.get(address) ?? []).filter((at) => at > since);
    if (recent.length >= MOST_AN_HOUR) {
      throw new DeliveryError(`the address has had ${MOST_AN_HOUR} e-mails within an hour; the rest wait`, {
        notBefore: recent[0]! + HOUR_MS,
      });
    }
    this.#sentTo.set(address, [...recent, this.#now()]);
  }
}
