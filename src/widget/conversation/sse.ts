export interface ServerSentEvent {
  event: string;
  data: string;
}

const LINE_END = /\r\n|\n|\r/;

function parseBlock(block: string): ServerSentEvent | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(LINE_END)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line)!;
    if (field === "event") event = value!;
    if (field === "data") data.push(value!);
  }
  return data.length === 0 ? undefined : { event, data: data.join("\n") };
}

/** The events of a `text/event-stream` body, in order; comments (heartbeats) are skipped. */
export async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // A lone CR at the end may be half of a CRLF: it waits for the next chunk.
      rest += decoder.decode(value, { stream: !done });
      const blocks = rest.split(/(?:\r\n|\n|\r(?!\n|$)){2}/);
      rest = done ? "" : blocks.pop()!;
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event) yield event;
      }
      if (done) return;
    }
  } finally {
    void reader.cancel().catch(() => undefined); // Already broken: nothing is left to cancel.
  }
}
