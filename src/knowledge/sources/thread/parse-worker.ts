/**
 * Entry of the thread that reads documents: `RawDocument` in, `ParseNews` out. A separate entry point of the compiled executable; `ParseThread`
 * holds its address.
 */
import { UnreadableError } from "../document.ts";
import { parseDocument, type RawDocument } from "../formats/parse-document.ts";
import type { ParseNews } from "./parse-thread.ts";

declare const self: {
  addEventListener(type: "message", listen: (event: MessageEvent<RawDocument>) => void): void;
  postMessage(news: ParseNews, transfer: ArrayBufferLike[]): void;
};

self.addEventListener("message", ({ data }) => void answer(data));

async function answer(raw: RawDocument): Promise<void> {
  try {
    self.postMessage({ kind: "read", document: await parseDocument(raw) }, []);
  } catch (error) {
    self.postMessage({ kind: "unreadable", reason: reasonOf(error) }, []);
  }
}

/** A third-party parser may fail with any error at a damaged file: the file is at fault, and other files are still read. */
function reasonOf(error: unknown): string {
  if (error instanceof UnreadableError) return error.message;
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  if (name === "RangeError" && /call stack/i.test(message)) return "is nested too deep";
  return `cannot be read: ${message.split("\n")[0]}`;
}
