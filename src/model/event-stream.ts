import { takeEvents } from "../domain/event-stream.ts";
import { OversizedReplyError } from "./http-call.ts";

/** Of one event, in UTF-16 units. */
const MAX_EVENT_LENGTH = 1024 * 1024;

/**
 * The data of each server-sent event. Whoever gives the bytes bounds their number.
 *
 * @throws OversizedReplyError when an event has no end.
 */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of bytes) {
    const { events, rest } = takeEvents(text + decoder.decode(chunk, { stream: true }));
    text = rest;
    if (text.length > MAX_EVENT_LENGTH) throw new OversizedReplyError();
    for (const { data } of events) yield data;
  }
}
