import type { EncodingNews, EncodingOrder } from "./encoder-thread.ts";
/**
 * Entry of the encoding thread: `EncodingOrder` in, `EncodingNews` out. An entry point of its own in the compiled executable;
 * `EncoderThread` knows its address.
 */
import { type Encoder, openEncoder } from "./encoder.ts";
import type { Run } from "./transformer.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<EncodingOrder>) => void): void;
  postMessage(news: EncodingNews, transfer: ArrayBufferLike[]): void;
};

const queues: Record<EncodingOrder["queue"], EncodingOrder[]> = {
  messages: [],
  documents: [],
  background: [],
};
/** The text of the other queues that is being encoded, layer by layer. */
let current: { number: number; run: Run } | undefined;
let isTurnComing = false;
let opened: { encoder: Encoder | undefined } | undefined;

self.addEventListener("message", ({ data: order }) => {
  queues[order.queue].push(order);
  comeBack();
});

/** Lets orders come in before the next turn. */
function comeBack(): void {
  if (isTurnComing) return;
  isTurnComing = true;
  setImmediate(takeTurn);
}

/** Opens the encoder, and gives back at once the 46 MB that its file was read into. */
function openOnce(): Encoder | undefined {
  const encoder = openEncoder();
  Bun.gc(true);
  return encoder;
}

/** All messages that wait, then one layer of something else. */
function takeTurn(): void {
  isTurnComing = false;
  opened ??= { encoder: openOnce() };
  const { encoder } = opened;
  for (let order = queues.messages.shift(); order; order = queues.messages.shift())
    send(order.number, encoder?.encode(order.input));
  current ??= beginNext(encoder);
  if (encoder && current && encoder.step(current.run)) {
    send(current.number, encoder.finish(current.run));
    current = undefined;
  }
  if (current || queues.documents.length + queues.background.length > 0) comeBack();
}

function beginNext(encoder: Encoder | undefined): typeof current {
  const order = queues.documents.shift() ?? queues.background.shift();
  if (order === undefined) return undefined;
  const run = encoder?.begin(order.input, "background");
  if (run) return { number: order.number, run };
  send(order.number, undefined);
  return undefined;
}

function send(number: number, vector: Float32Array | undefined): void {
  self.postMessage({ number, vector }, vector ? [vector.buffer] : []);
}
