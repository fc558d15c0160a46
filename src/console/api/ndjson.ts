/** The documents of a stream of newline-delimited JSON, one by one as they come. A last line without an end counts, too. */
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
    // Whoever stops reading stops the server's work, too.
    await reader.cancel();
  }
}
