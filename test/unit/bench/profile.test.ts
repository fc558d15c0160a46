import { expect, test } from "bun:test";

import { sampleStages } from "../../bench/profile.ts";

const frame = (functionName: string, url = "") => ({ functionName, url });

/** program → http/chat.ts → { chat/turn/answer-turn.ts → { loadConversation → store.ts → run, judge-message.ts → map }, store/commit-queue.ts → run } */
const NODES = [
  { id: 1, callFrame: frame("(root)"), children: [2, 9] },
  { id: 2, callFrame: frame("postChat", "src/http/chat.ts"), children: [3, 7] },
  { id: 3, callFrame: frame("decideMessage", "src/chat/turn/answer-turn.ts"), children: [4, 11] },
  { id: 4, callFrame: frame("loadConversation", "src/chat/turn/answer-turn.ts"), children: [5] },
  { id: 5, callFrame: frame("find", "src/store/store.ts"), children: [6] },
  { id: 6, callFrame: frame("all") },
  { id: 7, callFrame: frame("#runInTransaction", "src/store/commit-queue.ts"), children: [8] },
  { id: 8, callFrame: frame("run") },
  { id: 9, callFrame: frame("(garbage collector)") },
  { id: 11, callFrame: frame("judgeMessage", "src/governance/judge-message.ts"), children: [12] },
  { id: 12, callFrame: frame("map") },
];

test("a sample counts for the stage of its nearest caller that has one, and loading is no commit", () => {
  const samples = [6, 8, 12, 12, 9, 2];
  const profile = { nodes: NODES, samples, timeDeltas: samples.map(() => 1000) };
  expect(Object.fromEntries(sampleStages(profile, 0, 100))).toEqual({
    load: 1,
    commit: 1,
    judge: 2,
    other: 1,
    HTTP: 1,
  });
});

test("samples outside the load do not count, and a wait before a sample is not its time", () => {
  const profile = { nodes: NODES, samples: [12, 12, 8, 12], timeDeltas: [1000, 1000, 50_000, 1000] };
  expect(Object.fromEntries(sampleStages(profile, 1.5, 52.5))).toEqual({ judge: 1, commit: 1 });
});
