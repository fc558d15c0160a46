import { expect, test } from "bun:test";

import { encodeSentence } from "../../../../src/intent/encoder/encoded-sentence.ts";
import { EncoderThread } from "../../../../src/intent/encoder/encoder-thread.ts";

test("a thread encodes as this one does, many texts at once", async () => {
  const texts = ["where is my order", "reset my password", " ", "what is the weather like"];
  using thread = new EncoderThread();
  const vectors = await Promise.all(texts.map((text) => thread.encode(text)));
  expect(vectors).toEqual(texts.map((text) => encodeSentence(text)));
});

/** What a promise is refused with. */
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: Error) => error.message,
  );

test("what waits is refused when the thread is closed", async () => {
  const thread = new EncoderThread();
  const failure = failureOf(thread.encode("where is my order"));
  thread[Symbol.dispose]();
  expect(await failure).toBe("the encoding thread is closed");
});

test("a failing thread is an error here, each time", async () => {
  using thread = new EncoderThread(new URL("./no-such-worker.ts", import.meta.url));
  expect(await failureOf(thread.encode("hello"))).toStartWith("encoding failed");
  expect(await failureOf(thread.encode("hello"))).toStartWith("encoding failed");
});

function replaceWorker(other: typeof Worker): Disposable {
  const { Worker: real } = globalThis;
  globalThis.Worker = other;
  return { [Symbol.dispose]: () => void (globalThis.Worker = real) };
}

test("the thread starts with the first text", async () => {
  let started = 0;
  class CountedWorker extends Worker {
    constructor(url: string | URL) {
      super(url);
      started++;
    }
  }
  using _ = replaceWorker(CountedWorker);
  using thread = new EncoderThread();
  expect(started).toBe(0);
  await thread.encode("hello");
  await thread.encode("hello again");
  expect(started).toBe(1);
});

test("where hundreds wait, more are refused at once", async () => {
  using thread = new EncoderThread();
  const outcomes = await Promise.all(
    Array.from({ length: 250 }, (_, i) => failureOf(thread.encode(`order number ${i}`))),
  );
  const refused = outcomes.filter((outcome) => outcome.includes("wait for the encoding thread"));
  expect(refused).toHaveLength(50);
  expect(await failureOf(thread.encode("hello"))).toBe("none");
});
