export interface ServerSentEvent {
  event: string;
  data: string;
}

function parseBlock(block: string): ServerSentEvent {
  const parsed = { event: "message", data: "" };
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^(event|data): ?(.*)$/.exec(line) ?? [];
    if (field === "event") parsed.event = value!;
    if (field === "data") parsed.data += parsed.data ? `\n${value}` : value;
  }
  return parsed;
}

/** The events of a `text/event-stream` body that carry data, in order; comments (heartbeats) carry none. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event.data) yield event;
    }
  }
}
