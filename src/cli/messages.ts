import type { WriteStream } from "node:tty";

/** Characters buffered for a slow reader. */
const MAX_WAITING = 1024 * 1024;

type ErrorStream = Pick<WriteStream, "write" | "on">;

/**
 * Returns a function that writes to stderr without waiting, and without ending the process if stderr is full or closed. Beyond {@link
 * MAX_WAITING} unread characters, messages are dropped; exit codes still tell the result.
 */
export function openMessages(stderr: ErrorStream): (text: string) => void {
  let waiting = 0;
  // Without a listener the error would end the process, and there is no other channel to report it on.
  stderr.on("error", () => undefined);
  return (text) => {
    if (waiting + text.length > MAX_WAITING) return;
    waiting += text.length;
    stderr.write(text, () => void (waiting -= text.length));
  };
}
