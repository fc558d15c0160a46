import type { WriteStream } from "node:tty";

/** Characters that may wait for a reader who stalls. */
const MAX_WAITING = 1024 * 1024;

type ErrorStream = Pick<WriteStream, "write" | "on">;

/**
 * Returns what writes to stderr without ever waiting, and without ending the process where stderr is full or gone. Beyond
 * {@link MAX_WAITING} characters that nobody reads, messages are dropped: exit codes say what came of a command all the same.
 */
export function openMessages(stderr: ErrorStream): (text: string) => void {
  let waiting = 0;
  // Nobody can be told: this is where one would be told. Without a listener the error would end the process.
  stderr.on("error", () => undefined);
  return (text) => {
    if (waiting + text.length > MAX_WAITING) return;
    waiting += text.length;
    stderr.write(text, () => void (waiting -= text.length));
  };
}
