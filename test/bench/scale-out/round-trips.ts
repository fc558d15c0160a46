import { SQL } from "bun";

import {
  type ConversationId,
  type InstanceId,
  newConversationId,
  newInstanceId,
  newRequestId,
  secureRandomBytes,
} from "../../../src/domain/ids.ts";
import { arrayLiteral } from "../../../src/store/postgres/array-literal.ts";
import { List, type Parameter, type Queries, type Rows } from "../../../src/store/postgres/connection.ts";
import { readHistories } from "../../../src/store/postgres/histories.ts";
import { storeGroup } from "../../../src/store/postgres/turn-group.ts";
import { median } from "../load/plan.ts";
import type { Sample } from "./sample.ts";

const TIMES = 300;

/** The statements of a message, with the texts and values of the store, one after another on one connection of the bare driver. */
export class RoundTrips implements AsyncDisposable {
  readonly #driver: BareDriver;
  readonly #sample: Sample;
  readonly #instance: InstanceId;

  constructor(url: string, sample: Sample) {
    this.#driver = new BareDriver(url);
    this.#sample = sample;
    this.#instance = newInstanceId(Date.now(), secureRandomBytes);
  }

  /** @returns milliseconds, p50, of storing a message, in a conversation that is read before if `isRead`. */
  async measure(isRead: boolean): Promise<number> {
    const same = newConversationId(Date.now(), secureRandomBytes);
    const times: number[] = [];
    while (times.length < TIMES) {
      const id = isRead ? same : newConversationId(Date.now(), secureRandomBytes);
      times.push(await this.#say(id, isRead));
    }
    return median(times);
  }

  async #say(conversationId: ConversationId, isRead: boolean): Promise<number> {
    const { bot, turn } = this.#sample;
    if (isRead) await readHistories(this.#driver, [{ id: conversationId, bot }]);
    const at = Date.now();
    const requestId = newRequestId(at, secureRandomBytes);
    const record = { bot, conversationId, turn: { ...turn, at, requestId } };
    await storeGroup(this.#driver, [{ record, isBegun: false }], this.#instance);
    return this.#driver.takeMilliseconds();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#driver[Symbol.asyncDispose]();
  }
}

/** Bun's driver alone. Measures the time from the call until the rows are there. */
class BareDriver implements Queries, AsyncDisposable {
  readonly #sql: SQL;
  #milliseconds = 0;

  constructor(url: string) {
    this.#sql = new SQL(url, { max: 1 });
  }

  async query<Row>(text: string, parameters: readonly Parameter[] = []): Promise<Rows<Row>> {
    const bound = parameters.map((parameter) =>
      parameter instanceof List ? arrayLiteral(parameter.values) : parameter,
    );
    const startedAt = performance.now();
    const rows = (await this.#sql.unsafe(text, bound)) as Rows<Row>;
    this.#milliseconds += performance.now() - startedAt;
    return rows;
  }

  /** Time of all statements since the last call. */
  takeMilliseconds(): number {
    const taken = this.#milliseconds;
    this.#milliseconds = 0;
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sql.close({ timeout: 0 });
  }
}
