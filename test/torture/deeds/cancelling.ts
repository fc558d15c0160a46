import { Cancellation, FORGET_PROOFS } from "../actions/cancellation.ts";
import { type Fate, OrdersDesk } from "../actions/orders-desk.ts";
import type { Acknowledged } from "../ledger.ts";
import { type OperatedLine, ServerGone } from "./ask.ts";
import type { Deed, DeedParts } from "./deed.ts";

const FATES: readonly Fate[] = ["does", "does", "does", "refuses", "breaks", "cuts"];
const SLOWEST_MS = 200;

/** Visitors who have orders cancelled, by an endpoint that does it, refuses, breaks, or cuts its answer. */
export class Cancelling implements Deed, AsyncDisposable {
  readonly hands = 2;
  readonly #parts: DeedParts;
  readonly #desk: OrdersDesk;
  readonly #visitors: Cancellation[] = [];
  #orders = 0;
  #compared = 0;

  private constructor(parts: DeedParts, desk: OrdersDesk) {
    this.#parts = parts;
    this.#desk = desk;
    const { random } = parts;
    desk.answering = () => ({
      fate: FATES[Math.floor(random() * FATES.length)]!,
      after: Bun.sleep(random() * SLOWEST_MS),
    });
  }

  static async open(parts: DeedParts): Promise<Cancelling> {
    return new Cancelling(parts, await OrdersDesk.open());
  }

  /** Where servers find the endpoint. */
  get env(): Record<string, string> {
    return this.#desk.env;
  }

  /** What visitors were told since this was asked last. */
  takeAcknowledged(): Acknowledged[] {
    return this.#visitors.flatMap(({ acknowledged }) => acknowledged.splice(0));
  }

  async act(line: OperatedLine): Promise<void> {
    const { random, tally } = this.#parts;
    const visitor = new Cancellation(this.#orders++, tally);
    this.#visitors.push(visitor);
    await visitor.ask([line]);
    if (!visitor.isAsked) throw new ServerGone(line.url);
    const answers = await visitor.confirm([line, line], { isOneMessage: random() < 0.5 });
    if (answers.includes(undefined)) throw new ServerGone(line.url);
  }

  /** On PostgreSQL, a key that a killed server was answering is free when that one's lease has run out: what was said is said again at the end. */
  async check(line: OperatedLine, place: string, isLast: boolean): Promise<void> {
    const { folder } = this.#parts;
    await folder.rows(FORGET_PROOFS);
    if (!isLast && folder.postgresUrl !== undefined) return;
    const visitors = this.#visitors.slice(this.#compared);
    await Promise.all(visitors.map((visitor) => visitor.insist([line])));
    for (const visitor of visitors) visitor.compare(this.#desk, place);
    this.#compared = this.#visitors.length;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#desk[Symbol.asyncDispose]();
  }
}
