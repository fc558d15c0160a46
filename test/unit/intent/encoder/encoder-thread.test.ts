import { expect, test } from "bun:test";

import { encodeSentence } from "../../../../src/intent/encoder/encoded-sentence.ts";
import { EncoderThread } from "../../../../src/intent/encoder/encoder-thread.ts";

const workerUrl = new URL("../../../../src/intent/encoder/encoder-worker.ts", import.meta.url);

test("a thread encodes as this one does, many texts at once", async () => {
  const texts = ["where is my order", "reset my password", " ", "what is the weather like"];
  using thread = new EncoderThread(workerUrl);
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
  const thread = new EncoderThread(workerUrl);
  const failure = failureOf(thread.encode("where is my order"));
  thread[Symbol.dispose]();
  expect(await failure).toBe("the encoding thread is closed");
});

test("a failing thread is an error here, each time", async () => {
  using thread = new EncoderThread(new URL("./no-such-worker.ts", import.meta.url));
  expect(await failureOf(thread.encode("hello"))).toStartWith("encoding failed");
  expect(await failureOf(thread.encode("hello"))).toStartWith("encoding failed");
});
