import { expect, test } from "bun:test";

import { HISTORY_TURNS, pastTurnOf } from "../../../../src/domain/conversation.ts";
import type { RequestId } from "../../../../src/domain/ids.ts";
import type { BotKey } from "../../../../src/store/interface/bots.ts";
import type { ConversationKey } from "../../../../src/store/interface/conversations.ts";
import {
  type ConversationTail,
  ConversationTails,
  type DataVersion,
  withAnswer,
  withTurn,
} from "../../../../src/store/sqlite/conversation-tails.ts";
import { turnWith } from "../../../support/turns.ts";

const FIRST = 1 as DataVersion;
const SECOND = 2 as DataVersion;

const turn = (request: string, fields = {}) =>
  pastTurnOf(turnWith({ requestId: request as RequestId, at: 0, ...fields }));
const tailOf = (...turns: ReturnType<typeof turn>[]): ConversationTail => ({
  key: 1 as ConversationKey,
  bot: 1 as BotKey,
  turns,
});

test("a tail is found until another process writes to the file", () => {
  const tails = new ConversationTails();
  tails.put("cv_1", tailOf(turn("rq_1")), FIRST);
  expect(tails.find("cv_1", FIRST)).toEqual(tailOf(turn("rq_1")));
  expect(tails.find("cv_1", SECOND)).toBeUndefined();
  expect(tails.find("cv_1", FIRST)).toBeUndefined();
});

test("the conversation that was longest silent makes room", () => {
  const tails = new ConversationTails(4000);
  const long = tailOf(turn("rq_1", { input: "x".repeat(1000) }));
  for (const id of ["cv_1", "cv_2", "cv_3"]) tails.put(id, long, FIRST);
  tails.find("cv_1", FIRST);
  tails.put("cv_4", long, FIRST);
  const isThere = (id: string) => tails.find(id, FIRST) !== undefined;
  expect(["cv_1", "cv_2", "cv_3", "cv_4"].filter(isThere)).toEqual(["cv_1", "cv_3", "cv_4"]);
});

test("a tail that is put many times takes its room once", () => {
  const tails = new ConversationTails(4000);
  tails.put("cv_1", tailOf(turn("rq_1")), FIRST);
  for (let again = 0; again < 1000; again += 1) tails.put("cv_2", tailOf(turn("rq_2")), FIRST);
  expect(tails.find("cv_1", FIRST)).toBeDefined();
});

test("a tail holds no more than the turns that a message may know of", () => {
  const turns = Array.from({ length: HISTORY_TURNS + 5 }, (_, index) => turn(`rq_${index}`));
  const tail = turns.reduce(withTurn, tailOf());
  expect(tail.turns).toEqual(turns.slice(5));
});

test("an answer takes the place of its own turn alone", () => {
  const [first, second] = [turn("rq_1"), turn("rq_2", { response: "" })];
  const answered = turn("rq_2", { response: "Hi." });
  expect(withAnswer(tailOf(first, second), answered)).toEqual(tailOf(first, answered));
  expect(withAnswer(tailOf(second, first), answered)).toBeUndefined();
});
