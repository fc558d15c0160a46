import { takeEvents } from "../domain/event-stream.ts";
import { OversizedReplyError } from "./http-call.ts";

/** Of one event, in UTF-16 units. */
const MAX_EVENT_LENGTH = 1024 * 1024;
/** The end of an event. Searched for only after a line break, because searching after every byte of a slow stream would cost quadratic time. */
const BLANK_LINE = /\n\r?\n|\r\r/;
const LONGEST_BLANK_LINE = 3;

/**
 * The data of each server-sent event. Whoever gives the bytes bounds their number.
 *
 * @throws OversizedReplyError when an event has no end.
 */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  /** The end of `text`, apart from it: to look at the end of a text that has just grown copies all of it. */
  let tail = "";
  for await (const chunk of bytes) {
    const piece = decoder.decode(chunk, { stream: true });
    const seam = tail + piece;
    text += piece;
    tail = seam.slice(-LONGEST_BLANK_LINE);
    if (!BLANK_LINE.test(seam)) {
      if (text.length > MAX_EVENT_LENGTH) throw new OversizedReplyError();
      continue;
    }
    const { events, rest } = takeEvents(text);
    text = rest;
    if (text.length > MAX_EVENT_LENGTH) throw new OversizedReplyError();
    for (const { data } of events) yield data;
  }
}
