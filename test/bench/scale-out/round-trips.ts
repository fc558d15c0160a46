import { SQL } from "bun";

import {
  type ConversationId,
  newConversationId,
  newInstanceId,
  newRequestId,
  secureRandomBytes,
} from "../../../src/domain/ids.ts";
import { List, type Parameter, type Queries } from "../../../src/store/postgres/connection.ts";
import { readHistories } from "../../../src/store/postgres/histories.ts";
import { storeGroup } from "../../../src/store/postgres/turn-group.ts";
import { median } from "../load/plan.ts";
import { openSample } from "./sample.ts";

const WARM_UP = 300;
const TIMES = 1500;

/** What the statements of a message take by themselves: p50 in milliseconds, one after another on one connection of the bare driver. */
export interface RoundTrips {
  store: number;
  readAndStore: number;
}

/** Measures with the texts and the values of the store, on a database that holds messages of `botId`. */
export async function measureRoundTrips(url: string, botId: string): Promise<RoundTrips> {
  await using sample = await openSample(url, botId);
  const { bot, turn } = sample;
  await using driver = new BareDriver(url);
  const instance = newInstanceId(Date.now(), secureRandomBytes);
  const say = async (conversationId: ConversationId, isRead: boolean) => {
    if (isRead) await readHistories(driver, [{ id: conversationId, bot }]);
    const at = Date.now();
    const record = {
      bot,
      conversationId,
      turn: { ...turn, at, requestId: newRequestId(at, secureRandomBytes) },
    };
    await storeGroup(driver, [{ record, isBegun: false }], instance);
    return driver.takeMilliseconds();
  };
  const measure = async (isRead: boolean) => {
    const same = newConversationId(Date.now(), secureRandomBytes);
    const times: number[] = [];
    for (let n = 0; n < WARM_UP + TIMES; n += 1) {
      const taken = await say(isRead ? same : newConversationId(Date.now(), secureRandomBytes), isRead);
      if (n >= WARM_UP) times.push(taken);
    }
    return median(times);
  };
  return { store: await measure(false), readAndStore: await measure(true) };
}

/** Bun's driver with nothing around it. Times what happens from the call until the rows are there. */
class BareDriver implements Queries, AsyncDisposable {
  readonly #sql: SQL;
  #milliseconds = 0;

  constructor(url: string) {
    this.#sql = new SQL(url, { max: 1 });
  }

  async query<Row>(text: string, parameters: readonly Parameter[] = []): Promise<Row[]> {
    const bound = parameters.map((parameter) =>
      parameter instanceof List ? this.#sql.array([...parameter.values], parameter.type) : parameter,
    );
    const startedAt = performance.now();
    const rows = (await this.#sql.unsafe(text, bound)) as Row[];
    this.#milliseconds += performance.now() - startedAt;
    return rows;
  }

  /** What statements have taken since the last call. */
  takeMilliseconds(): number {
    const taken = this.#milliseconds;
    this.#milliseconds = 0;
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sql.close({ timeout: 0 });
  }
}
