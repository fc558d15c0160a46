/** Yields the documents of a newline-delimited JSON stream as they arrive. The last line needs no line break. */
export async function* readNdjson<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (value ?? "")).split("\n");
      rest = done ? "" : lines.pop()!;
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as Line;
      if (done) return;
    }
  } finally {
    // Cancelling the stream also stops the server's work.
    await reader.cancel();
  }
}
