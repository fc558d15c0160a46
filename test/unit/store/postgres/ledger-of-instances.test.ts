import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { SQL } from "bun";

import type { ConversationId, RequestId } from "../../../../src/domain/ids.ts";
import { shopBot } from "../../../support/bots.ts";
import { whyNoPostgres } from "../../../support/postgres-server.ts";
import { PostgresStores } from "../../../support/postgres-stores.ts";
import { turnWith } from "../../../support/turns.ts";
import { compareWithPostgres } from "../../../torture/instances/ledger.ts";
import type { Acknowledged } from "../../../torture/ledger.ts";
import { Tally } from "../../../torture/tally.ts";

const BOT = "capped-0";
const CAP = 4;

/** What shows that kills and restarts cost nothing has to be able to show that they did. */
describe.skipIf(whyNoPostgres !== undefined)("the ledger of what instances acknowledged", () => {
  let stores: PostgresStores;
  let acknowledged: Acknowledged[];

  beforeEach(async () => {
    stores = await PostgresStores.create();
    const store = await stores.open();
    await store.bots.seed([shopBot({ id: BOT })], { prune: false, dryRun: false });
    const bot = (await store.bots.find(BOT))!.key;
    acknowledged = [];
    for (let n = 1; n <= CAP; n += 1) {
      const conversationId = `cv_${n % 2}` as ConversationId;
      const turn = turnWith({ requestId: `rq_${n}` as RequestId, at: Date.now(), input: `hello ${n}` });
      await store.recordTurn({ bot, conversationId, turn });
      acknowledged.push({ botId: BOT, conversationId, input: turn.input, response: turn.response });
    }
  });
  afterEach(() => stores[Symbol.asyncDispose]());

  test.each([
    ["a database that holds it all", "SELECT 1", {}],
    ["a lost message", "DELETE FROM turns WHERE request_id = 'rq_3'", { lost: 1, miscounted: 1 }],
    ["another answer", "UPDATE turns SET response = 'Bye.' WHERE request_id = 'rq_3'", { lost: 1 }],
    [
      "an answer that was given back",
      "UPDATE turns SET state = 'unanswered' WHERE request_id = 'rq_3'",
      { lost: 1, miscounted: 1 },
    ],
    [
      "a second answer of a key, beyond the cap",
      'INSERT INTO turns SELECT (jsonb_populate_record(turns, \'{"request_id": "rq_x", "number": 9}\')).* FROM turns WHERE request_id = \'rq_4\'',
      { secondAnswers: 1, miscounted: 1, capOvershoot: 1 },
    ],
    ["a cap that is overshot", "UPDATE monthly_usage SET messages = 6", { capOvershoot: 2, miscounted: 1 }],
    ["a message that is not counted", "UPDATE monthly_usage SET messages = 3", { miscounted: 1 }],
    ["turns out of order", "UPDATE turns SET number = 9 WHERE request_id = 'rq_1'", { outOfOrder: 1 }],
  ])("finds %s", async (_, statement, expected) => {
    await using sql = new SQL(stores.url, { max: 1 });
    await sql.unsafe(statement);
    const tally = new Tally();
    await compareWithPostgres(stores.url, acknowledged, tally, { place: "here", cap: CAP });
    const wrong = Object.fromEntries(Object.entries(tally.wrong).filter(([, count]) => count > 0));
    expect(wrong).toEqual(expected);
  });
});
