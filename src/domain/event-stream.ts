/** One event of a `text/event-stream` body (WHATWG HTML §9.2). */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Takes the finished events off the front of a stream's text; the rest belongs before the next piece of the stream.
 * Comments (heartbeats) and events without data are left out.
 */
export function takeEvents(text: string): { events: ServerSentEvent[]; rest: string } {
  // A line end may be split between pieces: a CR at the end waits for its LF.
  const blocks = text.replace(/\r\n|\r(?!$)/g, "\n").split("\n\n");
  const rest = blocks.pop()!;
  return { events: blocks.map(parseEvent).filter(({ data }) => data), rest };
}

function parseEvent(block: string): ServerSentEvent {
  const parsed = { event: "message", data: "" };
  for (const line of block.split("\n")) {
    const [, field, value] = /^(event|data): ?([^]*)/.exec(line) ?? [];
    if (field === "event") parsed.event = value!;
    if (field === "data") parsed.data += parsed.data ? `\n${value}` : value;
  }
  return parsed;
}
