import { takeEvents, type ServerSentEvent } from "../domain/event-stream.ts";

/** Three heartbeats of the service's: who is silent for so long is not there any more. */
const SILENT_MS = 45_000;

/**
 * The events of a `text/event-stream` body as they arrive. Ends with the body, or where nothing came for 45 seconds, not even a heartbeat.
 * Ending the iteration early closes the connection.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  // A body that has failed says so again when it is left; whoever reads has heard it.
  const leave = () => void reader.cancel().catch(() => undefined);
  let text = "";
  try {
    for (;;) {
      const watch = setTimeout(leave, SILENT_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(watch));
      if (done) return;
      const { events, rest } = takeEvents(text + value);
      text = rest;
      yield* events;
    }
  } finally {
    leave();
  }
}
