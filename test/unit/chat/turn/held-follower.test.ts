import { expect, test } from "bun:test";

import { HeldFollower } from "../../../../src/chat/turn/answer-turn.ts";

const OPENING = { conversationId: "cv_1", capabilityAllowed: true };

function listen() {
  const heard: unknown[] = [];
  const follower = new HeldFollower({
    decided: (opening) => heard.push(opening),
    said: (text) => heard.push(text),
  });
  return { follower, heard };
}

test("nothing is told before the message is on disk, then all of it in order", () => {
  const { follower, heard } = listen();
  follower.decided(OPENING);
  follower.said("It left");
  expect(heard).toEqual([]);
  follower.release();
  expect(heard).toEqual([OPENING, "It left"]);
});

test("afterwards each piece is told as it comes, and once", () => {
  const { follower, heard } = listen();
  follower.release();
  follower.said("It left");
  follower.said(" yesterday.");
  follower.release();
  expect(heard).toEqual(["It left", " yesterday."]);
});
