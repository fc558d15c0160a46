import { expect, test } from "bun:test";

import { EncoderBusyError, EncoderThread } from "../../../../src/intent/encoder/encoder-thread.ts";
import { type EncoderInput, openEncoder } from "../../../../src/intent/encoder/encoder.ts";

const message = (text: string): EncoderInput => ({ form: "message", text });

/** What a promise is refused with. */
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: Error) => error.message,
  );

function countStarts(): Disposable & { started: () => number } {
  const { Worker: real } = globalThis;
  let started = 0;
  globalThis.Worker = class extends real {
    constructor(url: string | URL) {
      super(url);
      started++;
    }
  };
  return { started: () => started, [Symbol.dispose]: () => void (globalThis.Worker = real) };
}

test("a thread encodes as this one does, many texts at once, in every form", async () => {
  const texts: EncoderInput[] = [
    message("where is my order"),
    message(" "),
    { form: "passage", heading: "Hours", text: "Open from 9 to 5." },
    { form: "followUp", before: "do you deliver", text: "and on sundays?" },
    message("wo ist mein paket"),
  ];
  using thread = new EncoderThread();
  const vectors = await Promise.all(texts.map((text) => thread.encode(text)));
  expect(vectors).toEqual(texts.map((text) => openEncoder()!.encode(text)));
});

test("messages go before documents, and documents before what is done in the background", async () => {
  using visitors = new EncoderThread();
  using background = new EncoderThread({ work: "background" });
  const order: string[] = [];
  const passage = { form: "passage", text: "a long text about opening hours ".repeat(30) } as const;
  const note = (name: string) => () => void order.push(name);
  // The thread is up, so that all that follows finds it at work.
  await visitors.encode(message("hello"));
  await Promise.all([
    ...["training 1", "training 2"].map((name) => background.encode(message(name)).then(note(name))),
    ...["document 1", "document 2"].map((name) => visitors.encode(passage).then(note(name))),
    visitors.encode(message("where is my order")).then(note("message")),
  ]);
  // The first text may have been begun before the others came in; no other may overtake.
  expect(order.filter((name) => name !== "training 1")).toEqual([
    "message",
    "document 1",
    "document 2",
    "training 2",
  ]);
});

test("all of a process share one thread, which starts with the first text and ends with the last who asked", async () => {
  using starts = countStarts();
  {
    using one = new EncoderThread();
    using other = new EncoderThread({ work: "background" });
    using idle = new EncoderThread();
    expect(idle).toBeDefined();
    expect(starts.started()).toBe(0);
    await Promise.all([one.encode(message("hello")), other.encode(message("hello again"))]);
    one[Symbol.dispose]();
    await other.encode(message("and again"));
    expect(starts.started()).toBe(1);
  }
  using later = new EncoderThread();
  await later.encode(message("hello"));
  expect(starts.started()).toBe(2);
});

test("what waits is refused when its asker is closed, and nothing of the others", async () => {
  using staying = new EncoderThread();
  const leaving = new EncoderThread();
  const [stays, leaves] = [staying, leaving].map((thread) => failureOf(thread.encode(message("hello"))));
  leaving[Symbol.dispose]();
  expect(await leaves!).toBe("the encoding thread is closed");
  expect(await stays!).toBe("none");
  expect(await failureOf(leaving.encode(message("hello")))).toBe("the encoding thread is closed");
});

test("a failing thread is an error here, each time", async () => {
  using thread = new EncoderThread({ url: new URL("./no-such-worker.ts", import.meta.url) });
  expect(await failureOf(thread.encode(message("hello")))).toStartWith("encoding failed");
  expect(await failureOf(thread.encode(message("hello")))).toStartWith("encoding failed");
});

test("where too many of a queue wait, more are refused at once, and told; other queues have room", async () => {
  const refused: string[] = [];
  using thread = new EncoderThread({ onRefused: (queue) => refused.push(queue) });
  const outcomes = Array.from({ length: 70 }, (_, i) => failureOf(thread.encode(message(`order ${i}`))));
  const document = failureOf(thread.encode({ form: "passage", text: "opening hours" }));
  const failures = (await Promise.all(outcomes)).filter((outcome) => outcome !== "none");
  expect(failures).toEqual(Array.from({ length: 6 }, () => new EncoderBusyError("messages").message));
  expect(refused).toEqual(Array.from({ length: 6 }, () => "messages"));
  expect(await document).toBe("none");
  expect(await failureOf(thread.encode(message("hello")))).toBe("none");
});
