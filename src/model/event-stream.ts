import { OversizedReplyError } from "./http-call.ts";

/** In UTF-16 units. */
const MAX_LINE_LENGTH = 1024 * 1024;

/**
 * The data of each server-sent event (WHATWG HTML §9.2): `data` lines joined; comments and other fields are left out.
 * Whoever gives the bytes bounds their number.
 *
 * @throws OversizedReplyError when a line has no end.
 */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(bytes)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
    } else if (line === "data" || line.startsWith("data:")) {
      data.push(line.slice(5).replace(/^ /, ""));
    }
  }
}

async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const text = rest + decoder.decode(chunk, { stream: true });
    // A line end may be split between chunks: its CR waits for the LF.
    const end = text.endsWith("\r") ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? "") + text.slice(end);
    if (rest.length > MAX_LINE_LENGTH) throw new OversizedReplyError();
    yield* lines;
  }
}
