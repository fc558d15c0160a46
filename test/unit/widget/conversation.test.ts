import { describe, expect, test } from "bun:test";

import { Conversation, type ConversationParts } from "../../../src/widget/conversation/conversation.ts";
import { openTranscript } from "../../../src/widget/conversation/transcript.ts";
import type { Outcome } from "../../../src/widget/conversation/transport.ts";
import type { ParleyError, ParleyMessage } from "../../../src/widget/public.d.ts";
import { KEPT_FOR_MS } from "../../../src/widget/stored.ts";

function answered(text: string): Outcome {
  const metadata = { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false };
  return {
    kind: "answered",
    response: { conversationId: "cv_1", response: text, metadata },
    requestId: "rq_1",
  };
}

/** A conversation whose network, clock and storage are the test's. */
function setUp(
  outcomes: readonly (Outcome | Promise<Outcome>)[],
  storage: Storage = memoryStorage(),
  /** What is told of each answer before its outcome. */
  pieces: readonly string[] = [],
) {
  const script = [...outcomes];
  const told = [...pieces];
  const world = {
    now: 1_000_000,
    online: true,
    calls: [] as { key: string; input: string; conversationId: string | undefined }[],
    timers: [] as { run: () => void; delayMs: number }[],
    messages: [] as ParleyMessage[],
    errors: [] as ParleyError[],
  };
  const parts: ConversationParts = {
    botId: "acme",
    transcript: openTranscript(storage, "acme", () => world.now),
    post({ request, idempotencyKey, onMeta, onDelta }) {
      onMeta("cv_streaming");
      const piece = told.shift();
      if (piece) onDelta(piece);
      world.calls.push({ key: idempotencyKey, input: request.input, conversationId: request.conversationId });
      return Promise.resolve(script.shift() ?? answered("?"));
    },
    now: () => world.now,
    newId: () => `id${world.calls.length}${world.messages.length}`,
    isOnline: () => world.online,
    later(run, delayMs) {
      const timer = { run, delayMs };
      world.timers.push(timer);
      return () => world.timers.splice(world.timers.indexOf(timer), 1);
    },
    onMessage: (message) => world.messages.push(message),
    onError: (error) => world.errors.push(error),
  };
  return { world, conversation: new Conversation(parts), storage };
}

function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    key: () => null,
    get length() {
      return items.size;
    },
  };
}

const settled = () => Bun.sleep(0);

test("a message is answered, and the next one goes on under the conversation's id", async () => {
  const { world, conversation } = setUp([answered("One."), answered("Two.")]);
  conversation.send("  first  ");
  await settled();
  conversation.send("second");
  await settled();
  expect(world.calls.map(({ input, conversationId }) => [input, conversationId])).toEqual([
    ["first", undefined],
    ["second", "cv_1"],
  ]);
  expect(conversation.messages().map(({ text }) => text)).toEqual(["first", "One.", "second", "Two."]);
  expect(world.calls[0]!.key).not.toBe(world.calls[1]!.key);
});

test("a conversation that began with a stopped answer goes on; one that began with a broken one may not yet", async () => {
  const { world, conversation } = setUp([{ kind: "unreachable" }, { kind: "stopped" }, answered("Two.")]);
  conversation.send("first");
  await settled();
  conversation.retry();
  await settled();
  conversation.send("second");
  await settled();
  expect(world.calls.map(({ conversationId }) => conversationId)).toEqual([
    undefined,
    undefined,
    "cv_streaming",
  ]);
});

const FAILURE: Outcome = { kind: "failed", status: 503, code: "STORAGE_UNAVAILABLE", detail: "Later." };

describe("an answer that breaks off", () => {
  const textsOf = (conversation: Conversation) =>
    conversation.messages().map(({ text, stopped, unsent }) => [text, stopped, unsent]);

  test.each<[string, Outcome]>([
    ["unreachable", { kind: "unreachable" }],
    ["failed", FAILURE],
  ])("leaves what was read of it, stopped, and the message can be sent again: %s", async (kind, outcome) => {
    const { world, conversation } = setUp([outcome, answered("All of it.")], undefined, ["Half of"]);
    conversation.send("first");
    await settled();
    expect(conversation.status().kind as string).toBe(kind);
    expect(textsOf(conversation)).toEqual([
      ["first", undefined, undefined],
      ["Half of", true, undefined],
    ]);
    conversation.retry();
    expect(textsOf(conversation)).toHaveLength(2);
    await settled();
    expect(textsOf(conversation)).toEqual([
      ["first", undefined, undefined],
      ["All of it.", undefined, undefined],
    ]);
    expect(world.calls[1]).toEqual(world.calls[0]);
    expect(world.messages.map(({ text }) => text)).toEqual(["first", "All of it."]);
  });

  test("stays where a retry comes to nothing, and where it breaks off again", async () => {
    const { conversation } = setUp(
      [{ kind: "unreachable" }, { kind: "unreachable" }, { kind: "unreachable" }],
      undefined,
      ["Half of", "", "Half of it"],
    );
    conversation.send("first");
    await settled();
    conversation.retry();
    await settled();
    expect(textsOf(conversation).at(-1)).toEqual(["Half of", true, undefined]);
    conversation.retry();
    await settled();
    expect(textsOf(conversation)).toEqual([
      ["first", undefined, undefined],
      ["Half of it", true, undefined],
    ]);
  });

  test("stays where another message is sent, and that one is not said to be unsent", async () => {
    const { world, conversation } = setUp([{ kind: "unreachable" }, answered("Two.")], undefined, [
      "Half of",
    ]);
    conversation.send("first");
    await settled();
    conversation.send("second");
    await settled();
    expect(textsOf(conversation)).toEqual([
      ["first", undefined, undefined],
      ["Half of", true, undefined],
      ["second", undefined, undefined],
      ["Two.", undefined, undefined],
    ]);
    expect(world.calls[1]!.key).not.toBe(world.calls[0]!.key);
  });

  test("goes where its message is deleted", async () => {
    const { conversation } = setUp([FAILURE], undefined, ["Half of"]);
    conversation.send("first");
    await settled();
    conversation.remove(conversation.openQuestion()!.id);
    expect([conversation.messages(), conversation.status().kind]).toEqual([[], "idle"]);
  });

  test("is asked for again on the next page", async () => {
    const { conversation, storage } = setUp([{ kind: "unreachable" }], undefined, ["Half of"]);
    conversation.send("first");
    await settled();
    const later = setUp([answered("All of it.")], storage);
    later.conversation.resume();
    await settled();
    expect(textsOf(later.conversation).map(([text]) => text)).toEqual(["first", "All of it."]);
  });
});

test("blank messages are not sent", () => {
  const { world, conversation } = setUp([]);
  conversation.send(" \n ");
  expect(world.calls).toEqual([]);
});

test("what is sent while an answer is under way follows it, in order", async () => {
  const { world, conversation } = setUp([answered("One."), answered("Two.")]);
  conversation.send("first");
  conversation.send("second");
  expect(world.calls).toHaveLength(1);
  await settled();
  await settled();
  expect(world.calls.map(({ input }) => input)).toEqual(["first", "second"]);
});

test("too many requests: the same message goes out again when the wait is over", async () => {
  const { world, conversation } = setUp([{ kind: "limited", retryAfterMs: 17_000 }, answered("Here.")]);
  conversation.send("first");
  await settled();
  expect(conversation.status()).toEqual({ kind: "limited", until: world.now + 17_000 });
  expect(world.timers.map(({ delayMs }) => delayMs)).toEqual([17_000]);
  world.timers[0]!.run();
  await settled();
  expect(conversation.status()).toEqual({ kind: "idle" });
  expect(world.calls[0]!.key).toBe(world.calls[1]!.key);
});

test("stopping a wait takes the timer back, and leaves the message to be retried", async () => {
  const { world, conversation } = setUp([{ kind: "limited", retryAfterMs: 17_000 }]);
  conversation.send("first");
  await settled();
  conversation.stop();
  expect(world.timers).toEqual([]);
  expect(conversation.status()).toEqual({ kind: "unreachable" });
});

test("offline messages wait, and go out once when the network is back", async () => {
  const { world, conversation } = setUp([answered("Here.")]);
  world.online = false;
  conversation.send("first");
  expect(conversation.status()).toEqual({ kind: "queued" });
  world.online = true;
  conversation.online();
  conversation.online();
  await settled();
  expect(world.calls).toHaveLength(1);
});

test("after a failure, the same text is a retry, and another text goes on beside what was not sent", async () => {
  const { world, conversation } = setUp([FAILURE, FAILURE, answered("Here.")]);
  conversation.send("first");
  await settled();
  conversation.send("first");
  await settled();
  conversation.send("instead");
  await settled();
  expect(world.calls[0]!.key).toBe(world.calls[1]!.key);
  expect(world.calls[2]!.key).not.toBe(world.calls[0]!.key);
  expect(conversation.messages().map(({ text, unsent }) => [text, unsent])).toEqual([
    ["first", true],
    ["instead", undefined],
    ["Here.", undefined],
  ]);
  expect(world.errors.map(({ code }) => code)).toEqual(["STORAGE_UNAVAILABLE", "STORAGE_UNAVAILABLE"]);
});

test("what was not sent is sent again under its key, at the end, or deleted", async () => {
  const { world, conversation } = setUp([{ kind: "unreachable" }, answered("Two."), answered("One.")]);
  conversation.send("first");
  await settled();
  conversation.send("second");
  await settled();
  conversation.send("third");
  const [first] = conversation.messages();
  conversation.retry(first!.id);
  expect(world.calls).toHaveLength(3);
  await settled();
  conversation.retry(first!.id);
  await settled();
  expect(conversation.messages().map(({ text }) => text)).toEqual([
    "second",
    "Two.",
    "third",
    "One.",
    "first",
    "?",
  ]);
  expect(world.calls[3]!.key).toBe(world.calls[0]!.key);
  conversation.remove(first!.id);
  expect(conversation.messages().map(({ text }) => text)).not.toContain("first");
});

test("a message that waits can be deleted: it is not sent, and what was written meanwhile is", async () => {
  const { world, conversation } = setUp([{ kind: "limited", retryAfterMs: 17_000 }, answered("Two.")]);
  conversation.send("first");
  await settled();
  conversation.send("second");
  conversation.remove(conversation.messages()[0]!.id);
  await settled();
  expect(world.timers).toEqual([]);
  expect(world.calls.map(({ input }) => input)).toEqual(["first", "second"]);
  expect(conversation.messages().map(({ text }) => text)).toEqual(["second", "Two."]);
});

test("a conversation that was left for a new one can be taken up again, until that has begun", async () => {
  const { world, conversation, storage } = setUp([answered("One."), answered("Two."), answered("Three.")]);
  conversation.send("first");
  await settled();
  conversation.startOver();
  expect([conversation.messages(), storage.length]).toEqual([[], 0]);
  expect(conversation.earlier().map(({ text }) => text)).toEqual(["first", "One."]);
  conversation.takeUpEarlier();
  conversation.send("second");
  await settled();
  expect(world.calls[1]!.conversationId).toBe("cv_1");
  conversation.startOver();
  conversation.send("third");
  await settled();
  expect(conversation.earlier()).toEqual([]);
  conversation.reset();
  expect(conversation.earlier()).toEqual([]);
});

test("a message that is too long is kept with the length that would have been possible", async () => {
  const refusal: Outcome = {
    kind: "failed",
    status: 400,
    code: "INVALID_REQUEST",
    detail: "Long.",
    maxLength: 4000,
  };
  const { conversation } = setUp([refusal]);
  conversation.send("long");
  await settled();
  expect(conversation.messages()[0]).toMatchObject({ rejected: "INVALID_REQUEST", maxLength: 4000 });
});

test.each<[number, string | undefined]>([
  [400, "X"],
  [403, "X"],
  [408, undefined],
  [500, undefined],
])("a %d makes the message rejected for good, with the code: %p", async (status, rejected) => {
  const { conversation } = setUp([{ kind: "failed", status, code: "X", detail: "" }]);
  conversation.send("first");
  await settled();
  expect(conversation.messages()[0]!.rejected).toBe(rejected);
});

test("an answer that comes after a reset belongs to nobody", async () => {
  let release: (outcome: Outcome) => void = () => {};
  const { conversation } = setUp([new Promise<Outcome>((resolve) => (release = resolve))]);
  conversation.send("first");
  conversation.reset();
  release(answered("Late."));
  await settled();
  expect(conversation.messages()).toEqual([]);
  expect(conversation.status()).toEqual({ kind: "idle" });
});

test("a message without an answer is taken up again under its own key", async () => {
  const { world, conversation, storage } = setUp([{ kind: "unreachable" }]);
  conversation.send("first");
  await settled();
  const later = setUp([answered("Here.")], storage);
  later.conversation.resume();
  await settled();
  expect(later.world.calls[0]!.key).toBe(world.calls[0]!.key);
  expect(later.conversation.messages().map(({ text }) => text)).toEqual(["first", "Here."]);
});

test("a message that was refused is not sent again, and the refusal is said again", async () => {
  const { conversation, storage } = setUp([
    { kind: "failed", status: 400, code: "INVALID_REQUEST", detail: "" },
  ]);
  conversation.send("first");
  await settled();
  const later = setUp([], storage);
  later.conversation.resume();
  await settled();
  expect(later.world.calls).toEqual([]);
  expect(later.conversation.status()).toEqual({ kind: "failed", code: "INVALID_REQUEST" });
});

test("the transcript is kept for a day after the last message", async () => {
  const { conversation, storage } = setUp([answered("Here.")]);
  conversation.send("first");
  await settled();
  const at = (now: number) => openTranscript(storage, "acme", () => now).messages().length;
  expect(at(1_000_000 + KEPT_FOR_MS - 1)).toBe(2);
  expect(at(1_000_000 + KEPT_FOR_MS)).toBe(0);
  expect(storage.length).toBe(0);
});

test("storage that is full or broken leaves the conversation in memory", async () => {
  const storage = memoryStorage();
  storage.setItem("parley:acme", "{broken");
  storage.setItem = () => {
    throw new Error("QuotaExceededError");
  };
  const { conversation } = setUp([answered("Here.")], storage);
  conversation.send("first");
  await settled();
  expect(conversation.messages().map(({ text }) => text)).toEqual(["first", "Here."]);
});
