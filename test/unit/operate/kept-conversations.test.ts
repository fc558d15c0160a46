import { expect, test } from "bun:test";

import { KeptConversations } from "../../../src/operate/try/tried-bots.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";

const BOT = 1 as BotKey;

test("two hundred conversations are kept: the one that nobody went on with for longest goes", () => {
  const kept = new KeptConversations();
  for (let number = 0; number < 200; number++) kept.keep(`cv_${number}`, { bot: BOT, turns: [] });
  expect(kept.find("cv_0", BOT)).toEqual([]);
  kept.keep("cv_200", { bot: BOT, turns: [] });
  expect(kept.find("cv_0", BOT)).toEqual([]);
  expect(kept.find("cv_1", BOT)).toBeUndefined();
  expect(kept.find("cv_2", BOT)).toEqual([]);
});
